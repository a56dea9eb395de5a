// Advise: the position as it lies on the table, and the moves ranked.

import { choice, field, h, plural, replaceContent, say } from "./dom.js";
import { moveList, rollEntry } from "./dice_view.js";

const SHOWN = 6;

export class Advise {
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.state = { entry: game.entry(), ...this.emptyRoll() };
    this.past = [];
    this.lastField = null;
  }

  emptyRoll() {
    return { roll: this.game.kinds.map(() => []), typed: null, shown: SHOWN };
  }

  /** Change the state, and of its entry what is named; what is typed into one field is undone at once. */
  change({ entry, ...changes }, typedInto = null) {
    if (!typedInto || typedInto !== this.lastField) this.past.push(this.state);
    this.lastField = typedInto;
    this.state = { ...this.state, ...changes, entry: { ...this.state.entry, note: "", ...entry } };
    this.draw();
  }

  undo() {
    if (this.past.length) this.state = this.past.pop();
    this.lastField = null;
    this.draw();
  }

  draw() {
    replaceContent(this.place, this.parts(), "roll-title");
    const best = this.place.querySelector(".move")?.getAttribute("aria-label");
    say([this.state.entry.note, best && `Best: ${best}.`, this.place.querySelector("#why")?.textContent].filter(Boolean).join(" "));
  }

  /** Go on from another entry: the next roll is what is looked at then. */
  play(entry) {
    this.change({ entry, ...this.emptyRoll() });
    document.getElementById("roll-title")?.scrollIntoView({ block: "nearest" });
  }

  parts() {
    const form = this.game.form(this.state.entry);
    const position = h("section", { class: "card", "aria-label": "position" },
      form.choices.map(({ id, label, options }) =>
        choice(id, label, options, this.state.entry[id], (value) => this.change({ entry: { [id]: value } }))),
      this.fields(form.fields),
      form.steps.length ? this.diceLeft(form.steps) : null);
    if (form.card) return [position, this.cardPart(form.card, { id: "roll-title", tabindex: -1 }), this.buttons()];
    return [
      position,
      h("section", { class: "card", "aria-label": "roll" }, this.rollPart(),
        form.position && h("p", { class: "standing" }, this.game.standing(form.position))),
      this.movesPart(form.position),
      this.buttons(),
    ];
  }

  fields(asked) {
    return h("div", { class: "fields" }, asked.map(({ id, label, problem, hint }) =>
      field(id, label, this.state.entry[id], problem, (value) => this.change({ entry: { [id]: value } }, id), hint)));
  }

  /** A card in place of the roll, or of its moves; the title is what is looked at where there is no roll. */
  cardPart({ title, id, text, fields, end, button }, titled = {}) {
    return h("section", { class: "card" },
      h("h2", titled, title),
      text || id ? h("p", { id }, text) : null,
      fields ? this.fields(fields) : null,
      end ? h("p", {}, end) : null,
      button ? h("button", {
        type: "button", id: button.id, class: "main", disabled: button.disabled, onclick: () => this.play(button.entry),
      }, button.label) : null);
  }

  /** How many dice are left, set by hand. */
  diceLeft(steps) {
    const { game, state } = this;
    const dice = state.entry.left;
    const set = (kind, n) => {
      const left = dice.map((old, k) => (k === kind ? n : old));
      this.change({ entry: { left }, roll: state.roll.map((faces, k) => faces.slice(0, left[k])), typed: null });
    };
    const opened = this.place.querySelector("#dice-left")?.open ?? false;
    return h("details", { id: "dice-left", open: opened },
      h("summary", { id: "dice-left-title" }, "Dice left: ", h("strong", {}, game.writeDice(dice)), " (set by hand)"),
      game.kinds.map((kind, k) => h("div", { class: "stepper", role: "group", "aria-label": `${kind.name} left` },
        h("button", {
          type: "button", id: `fewer-${kind.name}`, "aria-label": `one ${kind.name} fewer`, disabled: dice[k] <= steps[k].least,
          onclick: () => set(k, dice[k] - 1),
        }, "−"),
        h("output", {}, `${dice[k]} ${kind.name}`),
        h("button", {
          type: "button", id: `more-${kind.name}`, "aria-label": `one ${kind.name} more`, disabled: dice[k] >= steps[k].most,
          onclick: () => set(k, dice[k] + 1),
        }, "+"))));
  }

  rollComplete() {
    return this.state.roll.every((faces, kind) => faces.length === this.state.entry.left[kind]);
  }

  rollPart() {
    const { game, state } = this;
    const { left, note } = state.entry;
    const typed = state.typed ?? (state.roll.some((faces) => faces.length) ? game.writeRoll(state.roll) : "");
    const read = state.typed === null ? { problem: "" } : game.readRoll(state.typed, left);
    const missing = left.map((n, kind) => n - state.roll[kind].length);
    return [
      h("h2", { id: "roll-title", tabindex: -1 }, `Roll ${game.writeDice(left)}`),
      note ? h("p", { class: "hint" }, note) : null,
      rollEntry(game, left, state.roll,
        (kind, face) => this.change({
          roll: state.roll.map((faces, k) => (k === kind ? [...faces, face].sort((a, b) => b - a) : faces)), typed: null,
        }),
        (kind, i) => this.change({
          roll: state.roll.map((faces, k) => (k === kind ? faces.filter((_, place) => place !== i) : faces)), typed: null,
        })),
      field("typed-roll", "Or type the roll", typed, read.problem, (text) => {
        const now = game.readRoll(text, left);
        this.change({ typed: text, ...(now.roll ? { roll: now.roll, shown: SHOWN } : {}) }, "typed-roll");
      }, "", { inputmode: "text", placeholder: game.example(left) }),
      missing.some((n) => n > 0)
        ? h("p", { class: "hint", id: "missing" }, `Still to enter: ${game.writeDice(missing)}.`) : null,
    ];
  }

  movesPart(position) {
    const { game, state } = this;
    if (!position) return h("section", { class: "card" }, h("p", { class: "problem" }, "Put right the field marked above to see the moves."));
    if (!this.rollComplete()) return null;
    const ranking = game.rank(position, state.roll);
    if (!ranking.moves.length) return this.cardPart(game.bust(state.entry));
    const differs = ranking.bestForWin !== ranking.bestForScore;
    return h("section", { class: "card", "aria-label": "moves" },
      h("h2", {}, "Moves"),
      h("p", { class: differs ? "why differs" : "why", id: "why" },
        differs ? game.why(position, ranking) : "The best move to win is the best for points too."),
      moveList(game, ranking, state.shown, (place) => this.play(game.take(state.entry, ranking.moves[place])),
        () => this.change({ shown: state.shown + 20 })));
  }

  buttons() {
    const { game, state } = this;
    const empty = !state.roll.some((faces) => faces.length);
    return h("div", { class: "actions" },
      h("button", { type: "button", id: "undo", disabled: !this.past.length, onclick: () => this.undo() }, "Undo"),
      h("button", {
        type: "button", id: "clear-roll", disabled: empty,
        onclick: () => this.change({ roll: game.kinds.map(() => []), typed: null }),
      }, "Clear roll"),
      h("button", {
        type: "button", id: "new-game", onclick: () => this.change({ entry: game.entry(state.entry), ...this.emptyRoll() }),
      }, "New game"));
  }
}
