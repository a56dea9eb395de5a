// Explore: what is solved, as pictures.

import { replaceContent } from "./dom.js";

export class Explore {
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.chosen = game.exploring;
    this.lastWidth = 0;
    addEventListener("resize", () => {
      if (this.place.isConnected && this.place.clientWidth !== this.lastWidth) this.draw();
    });
  }

  change(changes) {
    this.chosen = { ...this.chosen, ...changes };
    this.draw();
  }

  draw() {
    this.lastWidth = this.place.clientWidth;
    const width = Math.max(270, Math.min(820, this.lastWidth - 26));
    replaceContent(this.place, this.game.explore(this.chosen, width, (changes) => this.change(changes)), "explore-position");
  }
}
