// Advise: the position as it lies on the table, the best keep as soon as it is certain, any other keep against it, and all
// moves ranked. What is entered and what is answered have their places, and stay there.

import { keepAddress, readAddress, writeAddress } from "./address.js";
import { diceShown, moveList, pad, table, toggled } from "./dice_view.js";
import { apart, choice, field, h, inHundred, percent, replaceContent, say, settled } from "./dom.js";
import { besides, sideBySide } from "./why.js";
import { saveCard } from "./card.js";
import { words } from "./words.js";

const SHOWN = 8;

export class Advise {
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.state = { entry: game.entry(), ...this.emptyRoll() };
    this.past = [];
    this.lastField = null;
    this.told = "";
  }

  emptyRoll() {
    return { tray: this.game.emptyTray(), typed: null, shown: SHOWN, keep: null, way: 0, editing: false };
  }

  // The address

  /** Show what an address says; return whether all of it made sense. */
  restore({ bare, parts }) {
    const { game } = this;
    const given = game.given({ ...Object.fromEntries(bare.map((value, i) => [game.asked[i] ?? "", value])), ...parts });
    const { roll, settled: known, keep, way, left, ...others } = given;
    const entry = game.entry();
    let right = true;
    if (left !== undefined) {
      const counts = left.split(".").map(Number);
      const most = game.start.left;
      if (counts.length === most.length && counts.every((n, k) => Number.isInteger(n) && n >= 0 && n <= most[k])) entry.left = counts;
      else right = false;
    }
    for (const [key, value] of Object.entries(others)) {
      const options = game.form(entry).choices.find(({ id }) => id === key)?.options;
      if (!game.asked.includes(key) || value.length > 60 || (options && !options.some(([name]) => name === value))) right = false;
      else entry[key] = value;
    }
    const state = { entry, ...this.emptyRoll() };
    const read = roll === undefined ? { tray: state.tray } : game.readRoll(roll, entry.left);
    if (read.problem) right = false;
    else state.tray = read.tray;
    if (known !== undefined && state.tray.settled && /^\d{1,2}(\.\d{1,2})*$/.test(known)) {
      const numbers = known.split(".").map(Number);
      if (numbers.length === state.tray.settled.length) state.tray = { ...state.tray, settled: numbers.map((n, k) => Math.min(n, game.kinds[k].sides - 1)) };
    }
    if (keep !== undefined) {
      const kept = game.readKeep(keep, entry.left, state.tray);
      if (kept.problem) right = false;
      else Object.assign(state, { keep: kept.keep, way: Number(way === "1") });
    }
    this.state = state;
    this.past = [];
    return right;
  }

  address() {
    const { game, state } = this;
    const { entry, tray, keep, way } = state;
    const plain = game.entry();
    const parts = {};
    for (const key of game.asked) if (String(entry[key]) !== String(plain[key])) parts[key] = entry[key];
    if (String(entry.left) !== String(plain.left)) parts.left = entry.left.join(".");
    if (game.entered(tray)) {
      parts.roll = game.writeTray(tray);
      if (tray.settled?.some(Boolean) && !game.complete(entry.left, tray)) parts.settled = tray.settled.join(".");
    }
    if (keep) Object.assign(parts, { keep: game.writeRoll(keep), way: way ? "1" : "" });
    return writeAddress("advise", game.name, [], parts);
  }

  // Changes

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

  /** Go on from another entry: the next roll is what is looked at then. */
  play(entry) {
    this.change({ entry, ...this.emptyRoll() });
    this.place.querySelector("#position-line")?.focus({ preventScroll: true });
  }

  // What is shown

  /** Look at the position once: what is best, what is chosen instead, and what that costs. */
  look() {
    const { game, state } = this;
    const form = game.form(state.entry);
    const { position } = form;
    const found = { form, position, full: game.complete(state.entry.left, state.tray), best: null, chosen: null, refused: "" };
    if (!position || form.card) return found;
    if (found.full) {
      const both = game.best(position, game.rollOf(state.tray));
      if (!both) return { ...found, form: { ...form, card: game.bust(state.entry) } };
      Object.assign(found, { best: both.win, forPoints: both.score });
    } else if (game.entered(state.tray)) {
      found.best = game.certain(position, state.tray);
    }
    if (!found.best || !state.keep) return { ...found, chosen: found.best };
    found.chosen = game.find(position, state.tray, state.keep, state.way);
    if (!found.chosen) {
      const other = game.ways.some((_, way) => game.find(position, state.tray, state.keep, way));
      found.refused = game.refusal(state.keep, other, state.way);
    }
    return found;
  }

  draw() {
    if (!this.place.querySelector("#body")) {
      this.place.replaceChildren(h("div", { id: "body" }), h("dialog", { id: "position", "aria-labelledby": "position-title" }));
    }
    const seen = this.look();
    replaceContent(this.place.querySelector("#body"), this.parts(seen), "position-line");
    replaceContent(this.place.querySelector("#position"), this.positionForm(seen.form), "done");
    keepAddress(this.address());
    const text = this.place.querySelector("#answer")?.innerText ?? "";
    if (text !== this.told) say(text);
    this.told = text;
    this.rankLater(seen);
    if (seen.position && !seen.best) setTimeout(() => this.game.prepare(seen.position));
  }

  parts(seen) {
    const { form } = seen;
    const entering = form.card
      ? [this.cardPart(form.card)]
      : [this.answer(seen), this.tablePart(seen), pad(this.game, form.position ? this.game.ask(this.state.entry.left, this.state.tray) : null,
        (tray) => this.change({ tray, typed: null, keep: null }))];
    return [
      h("section", { class: "entering", "aria-label": words.views.advise }, this.line(seen), entering, this.buttons(seen),
        form.card ? null : this.typedPart()),
      h("section", { class: "ranked", "aria-label": words.moves }, h("div", { id: "ranked" }), seen.best && seen.chosen ? this.share(seen) : null),
    ];
  }

  /** Send the position and both moves to somebody. */
  share({ position, best, chosen }) {
    const { game, state } = this;
    return h("div", { class: "share" },
      h("div", { class: "actions" },
        h("button", { type: "button", id: "copy-link", onclick: () => this.copyLink() }, words.copy),
        h("button", { type: "button", id: "save-card", onclick: () => saveCard(game, position, state.tray, best, chosen) }, words.card)),
      h("p", { class: "hint", id: "shared" }));
  }

  /** The moves cost a moment to rank: the answer is painted first. */
  rankLater(seen) {
    const ranked = this.place.querySelector("#ranked");
    if (!seen.best || !seen.full) return;
    const now = this.state;
    const before = this.ranking;
    const key = JSON.stringify([seen.position, now.tray]);
    const show = () => {
      if (this.state !== now || !ranked.isConnected) return;
      if (this.ranking?.key !== key) this.ranking = { key, found: this.game.rank(seen.position, this.game.rollOf(now.tray)) };
      const { found } = this.ranking;
      const chosen = seen.chosen && this.game.writeRoll(seen.chosen.keep);
      const selected = found.moves.findIndex((move) => move.way === seen.chosen?.way && this.game.writeRoll(move.keep) === chosen);
      const focused = document.activeElement?.id;
      const beside = besides(seen);
      ranked.replaceChildren(...[
        h("section", { class: "card" }, h("h2", {}, words.moves),
          moveList(this.game, found, now.shown, selected,
            (place) => this.change({ keep: found.moves[place].keep, way: found.moves[place].way, editing: false }),
            () => this.change({ shown: now.shown + 20 }))),
        beside && sideBySide(this.game, seen.position, seen.best, beside, ranked.clientWidth)].filter(Boolean));
      if (focused?.startsWith("move-") || focused === "more-moves") document.getElementById(focused)?.focus({ preventScroll: true });
    };
    if (before?.key === key) show();
    else requestAnimationFrame(() => setTimeout(show));
  }

  /** Where the player stands, in one line; a tap opens the form. */
  line({ form, position }) {
    const told = position ? this.game.told(position).join(" · ") : form.fields.map(({ problem }) => problem).find(Boolean);
    const { note, left } = this.state.entry;
    return h("button", {
      type: "button", id: "position-line", class: position ? "line" : "line wrong", "aria-haspopup": "dialog",
      onclick: () => this.place.querySelector("#position").showModal(),
    },
    h("span", {}, note ? h("span", { id: "note" }, `${note} `) : null, h("strong", {}, told),
      left.some(Boolean) && !form.card && !this.game.listed ? ` · ${this.game.writeDice(left)}` : ""),
    h("span", { class: "change" }, words.change));
  }

  positionForm(form) {
    const close = () => this.place.querySelector("#position").close();
    return [
      h("h2", { id: "position-title" }, words.positionTitle),
      form.choices.map(({ id, label, options }) =>
        choice(id, label, options, this.state.entry[id], (value) => this.change({ entry: { [id]: value } }))),
      this.fields(form.fields),
      form.steps.length ? this.diceLeft(form.steps) : null,
      h("button", { type: "button", id: "done", class: "main", onclick: close }, words.done),
    ];
  }

  fields(asked) {
    return h("div", { class: "fields" }, asked.map(({ id, label, problem, hint, wide }) =>
      field(id, label, this.state.entry[id], problem, (value) => this.change({ entry: { [id]: value } }, id), hint,
        wide ? { inputmode: "text" } : {})));
  }

  /** How many dice are left, set by hand. */
  diceLeft(steps) {
    const { game, state } = this;
    const dice = state.entry.left;
    const set = (kind, n) => {
      const left = dice.map((old, k) => (k === kind ? n : old));
      this.change({ entry: { left }, ...this.emptyRoll() });
    };
    return h("fieldset", { id: "dice-left" }, h("legend", {}, words.diceLeft),
      game.kinds.map((kind, k) => h("div", { class: "stepper", role: "group", "aria-label": words.leftOf(kind.name) },
        h("button", {
          type: "button", id: `fewer-${kind.name}`, "aria-label": words.fewer(kind.name), disabled: dice[k] <= steps[k].least,
          onclick: () => set(k, dice[k] - 1),
        }, "−"),
        h("output", {}, `${dice[k]} ${kind.name}`),
        h("button", {
          type: "button", id: `more-${kind.name}`, "aria-label": words.more(kind.name), disabled: dice[k] >= steps[k].most,
          onclick: () => set(k, dice[k] + 1),
        }, "+"))));
  }

  /** A card in place of the roll. */
  cardPart({ title, id, text, fields, end, button }) {
    return h("section", { class: "card", id: "answer", "aria-label": title },
      h("h2", {}, title),
      text || id ? h("p", { id }, text) : null,
      fields ? this.fields(fields) : null,
      end ? h("p", {}, end) : null,
      button ? h("button", {
        type: "button", id: button.id, class: "main", disabled: button.disabled, onclick: () => this.play(button.entry),
      }, button.label) : null);
  }

  answer(seen) {
    return h("div", { class: seen.best ? "answer found" : "answer", id: "answer" }, this.answerLines(seen));
  }

  answerLines({ form, position, full, best, chosen, forPoints, refused }) {
    const { game, state } = this;
    if (!position) {
      return [h("p", { class: "problem" }, words.putRight, form.fields.map(({ problem }) => problem).find(Boolean) ?? "")];
    }
    if (!best) {
      if (!game.entered(state.tray)) return [h("p", {}, game.standing(position)), h("p", { class: "hint" }, words.enter)];
      const range = game.range(position, state.tray);
      return [h("p", { class: "head" }, words.notYet),
        h("p", { class: "hint" }, range ? words.between(...range.map(percent)) : words.missing(game.missing(state.entry.left, state.tray)))];
    }
    const act = game.ways.length > 1 || game.listed ? game.afterwards(best) : "";
    const head = h("p", { class: "head" }, h("span", { id: "best" }, full ? words.keep : words.certain, " ", diceShown(game, best.keep), act ? `${game.listed ? "," : ""} ${act}` : ""), " ",
      h("strong", {}, settled(best.win) ? (best.win > 0.5 ? words.sure : words.lost) : words.toWin(percent(best.win))));
    const after = h("p", { class: "hint" }, [act ? "" : game.afterwards(best), game.expectation(best)].filter(Boolean).join(" · "));
    const mine = state.keep !== null;
    if (refused) return [head, h("p", { class: "problem", id: "keep-problem" }, refused)];
    const other = besides({ best, chosen, forPoints });
    const why = other ? game.why(position, best, other) : "";
    if (mine && best.win - chosen.win > 0 && other) {
      const [won, could] = apart(chosen.win, best.win);
      return [head, h("p", { id: "cost" }, words.insteadOf(won, could, inHundred(best.win - chosen.win))), why ? h("p", { class: "why", id: "why" }, why) : null];
    }
    if (mine && chosen !== best && game.writeRoll(chosen.keep) !== game.writeRoll(best.keep)) return [head, after, h("p", { id: "cost" }, words.asGood)];
    if (!other) return [head, after];
    return [head, after, h("p", { class: "points" }, words.bestForPoints, ": ", diceShown(game, other.keep),
      game.ways.length > 1 ? ` ${game.afterwards(other)}` : "", `, −${inHundred(best.win - other.win)}`),
    why ? h("p", { class: "why", id: "why" }, why) : null];
  }

  tablePart({ position, best, chosen, full }) {
    const { game, state } = this;
    const { left } = state.entry;
    if (game.listed) return null;
    const keeping = best && !state.editing;
    const keep = keeping ? state.keep ?? best.keep : null;
    const most = game.start.left.reduce((sum, n) => sum + n, 0);
    return table(game, left, state.tray, keep, {
      most, title: full ? this.game.writeRoll(game.rollOf(state.tray)) : words.typeRoll,
      label: keeping ? words.dieShowing : words.takeAway,
      onTap: position && ((die, on) => (keeping
        ? this.change({ keep: toggled(keep, die, on), way: (chosen ?? best).way })
        : this.change({ tray: game.remove(state.tray, die), typed: null, keep: null }))),
    });
  }

  typedPart() {
    const { game, state } = this;
    const { left } = state.entry;
    const typed = state.typed ?? (game.entered(state.tray) ? game.writeTray(state.tray) : "");
    const read = state.typed === null ? { problem: "" } : game.readRoll(state.typed, left);
    const missing = state.typed !== null && !read.problem && !game.complete(left, state.tray) && game.entered(state.tray)
      ? words.missing(game.missing(left, state.tray)) : "";
    return field("typed-roll", words.typeRoll, typed, read.problem, (text) => {
      const now = game.readRoll(text, left);
      this.change({ typed: text, ...(now.tray ? { tray: now.tray, keep: null, shown: SHOWN } : {}) }, "typed-roll");
    }, missing, {
      inputmode: "text", placeholder: game.example(left),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault(); // else the same key would press the button that it leads to
        this.place.querySelector(".keepers button:not(:disabled)")?.focus();
      },
    });
  }

  buttons({ best, chosen, form, position }) {
    const { game, state } = this;
    const take = (way) => {
      const keep = chosen?.keep ?? state.keep;
      const move = way === chosen?.way ? chosen : game.find(position, state.tray, keep, way);
      if (move) this.play(game.take(state.entry, move));
      else this.change({ keep, way });
    };
    const ready = best && position && !form.card;
    return [
      form.card ? null : h("div", { class: "actions keepers" }, game.ways.map(({ id, label }, way) => h("button", {
        type: "button", id, class: !chosen || chosen.way === way ? "main" : "", disabled: !ready, onclick: () => take(way),
      }, label))),
      h("div", { class: "actions four" },
        h("button", { type: "button", id: "undo", disabled: !this.past.length, onclick: () => this.undo() }, words.undo),
        form.card || game.listed ? null : h("button", {
          type: "button", id: "edit", "aria-pressed": String(state.editing), disabled: !best,
          onclick: () => this.change({ editing: !state.editing, keep: null }),
        }, words.edit),
        h("button", {
          type: "button", id: "clear-roll", disabled: !game.entered(state.tray), onclick: () => this.change(this.emptyRoll()),
        }, words.clear),
        h("button", {
          type: "button", id: "new-game", onclick: () => this.change({ entry: game.entry(state.entry), ...this.emptyRoll() }),
        }, words.fresh),
      ),
    ];
  }

  /** Copy the address that shows this position and both moves. */
  async copyLink() {
    const address = location.href.replace(/#.*/, "") + this.address();
    const place = document.getElementById("shared");
    try {
      await navigator.clipboard.writeText(address);
      place.textContent = words.copied;
    } catch {
      place.replaceChildren(words.copyThis, " ", h("a", { href: address, id: "this-address" }, address));
    }
    say(place.textContent);
  }
}

/** The address at which Advise shows a roll of a position, and beside the best a move, if one is given. */
export function adviseAddress(game, position, roll, move = null) {
  const advise = new Advise(game, null);
  Object.assign(advise.state, { entry: game.entryAt(position), tray: game.trayOf(roll) });
  if (move) Object.assign(advise.state, { keep: move.keep, way: move.way });
  return advise.address();
}

/** The position and the roll at such an address, or null where it makes no sense. */
export function readPosition(game, address) {
  const advise = new Advise(game, null);
  if (!advise.restore(readAddress(address))) return null;
  const { entry, tray } = advise.state;
  const { position } = game.form(entry);
  return position && game.complete(entry.left, tray) ? { position, roll: game.rollOf(tray) } : null;
}
