// Train: the page rolls, you decide, and every decision is set against the best one.

import { arrows, choice, difference, field, h, percent, plural, replaceContent, say, signed } from "./dom.js";
import { dieFace, diceShown } from "./dice_view.js";
import { newTraining } from "./training.js";

export class Train {
  /** `go(seat, seed)` starts another game by its address. */
  constructor(game, place, seat, seed, note, go) {
    Object.assign(this, { game, place, note, go });
    this.training = newTraining(game, seat, seed);
    this.seedText = String(seed);
    this.chosen = new Set();
    this.last = null;
    this.seen = 0;
    this.problem = "";
  }

  draw() {
    replaceContent(this.place, [this.settings(), this.training.over ? this.report() : this.decision(), this.story()], "train-title");
    say([this.problem, this.place.querySelector("#verdict p, #outcome")?.textContent].filter(Boolean).join(" "));
  }

  settings() {
    const { seat, seed } = this.training;
    const typed = /^\d{1,9}$/.test(this.seedText.trim()) ? Number(this.seedText) : null;
    const problem = typed === null ? "Give a whole number of up to nine digits." : "";
    return h("details", { class: "card", id: "settings", open: this.place.querySelector("#settings")?.open ?? false },
      h("summary", { id: "settings-title" }, `You play ${seat}, game ${seed}`),
      choice("train-seat", "You play", [["first", "first"], ["second", "second"]], seat, (value) => this.go(value, seed)),
      h("div", { class: "fields" },
        field("seed", "Game number", this.seedText, problem, (value) => {
          this.seedText = value;
          this.draw();
        }, "The same number is the same dice: share the address to share the game.")),
      h("button", {
        type: "button", id: "same-seed", disabled: typed === null, onclick: () => this.go(seat, typed),
      }, "Start this game"));
  }

  decision() {
    const { game, training } = this;
    const dice = training.roll.flatMap((faces, kind) => faces.map((face, i) => {
      const key = `${kind}-${i}`;
      const on = this.chosen.has(key);
      return h("button", {
        type: "button", id: `die-${key}`, class: on ? "face on" : "face", "aria-pressed": String(on),
        "aria-label": `${game.kinds[kind].name} showing ${face}`,
        onclick: () => {
          if (on) this.chosen.delete(key);
          else this.chosen.add(key);
          this.problem = "";
          this.draw();
        },
      }, dieFace(game.kinds[kind], face));
    }));
    const count = this.chosen.size;
    const keep = count ? `Keep ${plural(count, "die", "dice")}` : "Keep …";
    return h("section", { class: "card", "aria-label": "decision" },
      h("h2", { id: "train-title", tabindex: -1 }, "Your roll: what do you keep?"),
      h("p", { class: "standing" }, game.told(training.position).join(" · ")),
      this.note ? h("p", { class: "hint" }, this.note) : null,
      arrows(h("div", { class: "dice tapped", role: "group", "aria-label": "your roll; choose what to keep" }, dice), false),
      this.problem ? h("p", { class: "problem", id: "keep-problem" }, this.problem) : null,
      h("div", { class: "actions" }, game.ways.map(({ id, label }, way) =>
        h("button", { type: "button", class: "main", id, onclick: () => this.keep(way) }, `${keep}${label}`))),
      this.verdict());
  }

  /** Play the chosen dice, or say why they cannot be played. */
  keep(way) {
    const { game, training } = this;
    const kept = training.roll.map((faces, kind) => faces.filter((_, i) => this.chosen.has(`${kind}-${i}`)));
    const written = game.writeRoll(kept);
    const { moves } = training.ranking;
    const same = moves.filter((move) => game.writeRoll(move.keep) === written);
    const place = moves.findIndex((move) => same.includes(move) && move.way === way);
    if (place < 0) {
      this.problem = this.chosen.size ? game.refusal(kept, way, same.length > 0) : "Choose at least one die to keep.";
      this.draw();
      return;
    }
    this.seen = training.log.length;
    this.note = "";
    this.last = training.decide(place);
    this.chosen.clear();
    this.problem = "";
    this.draw();
    document.getElementById("train-title").focus();
  }

  /** What the last decision cost. */
  verdict() {
    if (!this.last) return null;
    const { game } = this;
    const { move, best, cost, forced } = this.last;
    const bars = cost ? [["You", move], ["Best", best]].map(([who, found]) => {
      const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "fill" }));
      bar.firstChild.style.width = `${100 * found.win}%`;
      return h("div", { class: "compare" }, h("span", {}, who), h("span", { class: "what" }, diceShown(game, found.keep), this.how(found)),
        bar, h("strong", {}, percent(found.win)));
    }) : [];
    const text = forced ? "There was nothing else to do." : cost ? `That cost ${difference(cost)} of winning chance.`
      : `The best move: ${percent(best.win)} to win.`;
    const since = this.training.log.slice(this.seen);
    return h("div", { class: cost ? "verdict bad" : "verdict good", id: "verdict" },
      h("p", {}, text), bars,
      since.length && !this.training.over ? h("ul", { class: "log" }, since.slice(-6).map((entry) => logLine(game, entry))) : null);
  }

  report() {
    const { training } = this;
    const choices = training.decisions.filter((decision) => !decision.forced);
    const mistakes = choices.filter((decision) => decision.cost > 0).sort((a, b) => b.cost - a.cost);
    const rows = [
      ["Your chance at the start", percent(training.start)],
      ["Luck of your dice", signed(training.luck)],
      ["Luck of their dice, for you", signed(training.theirLuck)],
      ["Chance given away", training.given ? signed(-training.given) : "0%"],
      ["The game brought you", percent(training.result)],
    ];
    return h("section", { class: "card", "aria-label": "report" },
      h("h2", { id: "train-title", tabindex: -1 }, "Report"),
      h("p", { id: "outcome" }, training.outcome),
      h("p", { id: "summary" }, `${plural(choices.length, "decision")}, ${plural(mistakes.length, "mistake")}, `
        + `${difference(training.given)} of winning chance given away.`),
      h("table", { class: "account" }, h("tbody", {}, rows.map(([name, value]) =>
        h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))))),
      mistakes.length ? [h("h3", {}, "What cost most"), h("ul", { class: "mistakes" }, mistakes.slice(0, 5).map((decision) =>
        h("li", {}, `${difference(decision.cost)}: of `, diceShown(this.game, decision.roll), " you kept ",
          diceShown(this.game, decision.move.keep), this.how(decision.move), ", best ",
          diceShown(this.game, decision.best.keep), this.how(decision.best))))] : null,
      h("button", { type: "button", class: "main", id: "next-game", onclick: () => this.go(training.seat, null) }, "Another game"));
  }

  how(move) {
    return this.game.ways[move.way].how;
  }

  /** What has happened so far. */
  story() {
    const { training } = this;
    if (!training.log.length) return null;
    return h("details", { class: "card", id: "story", open: this.place.querySelector("#story")?.open ?? false },
      h("summary", { id: "story-title" }, "What the dice did"),
      h("ul", { class: "log" }, training.log.map((entry) => logLine(this.game, entry))));
  }
}

function logLine(game, [before, roll, after]) {
  return h("li", {}, `${before} `, roll.length ? diceShown(game, roll) : null, ` ${after}`);
}
