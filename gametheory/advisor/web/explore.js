// Explore: what is solved, as pictures.

import { keepAddress, writeAddress } from "./address.js";
import { replaceContent } from "./dom.js";

export class Explore {
  constructor(game, place, parts = {}) {
    this.game = game;
    this.place = place;
    this.chosen = { ...game.exploring };
    for (const key of Object.keys(this.chosen)) if (parts[key] !== undefined) this.chosen[key] = parts[key];
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
    const { game, chosen } = this;
    this.lastWidth = this.place.clientWidth;
    const width = Math.max(270, Math.min(1030, this.lastWidth - 26));
    replaceContent(this.place, game.explore(chosen, width, (changes) => this.change(changes)), "explore-position");
    const changed = Object.entries(chosen).filter(([key, value]) => value !== game.exploring[key]);
    keepAddress(writeAddress("explore", game.name, [], Object.fromEntries(changed)));
  }
}
