// Train: a whole game against an opponent, every decision set against the best one.

import { adviseAddress } from "./advise.js";
import { keepAddress, writeAddress } from "./address.js";
import { saveFile } from "./card.js";
import { Decision } from "./decision.js";
import { diceShown } from "./dice_view.js";
import { choice, field, firstTap, h, inHundred, percent, replaceContent, say, signed } from "./dom.js";
import { answered, exported, imported, lasting, note, ratings } from "./store.js";
import { newTraining } from "./training.js";
import { words } from "./words.js";

export class Train {
  /** `go(seat, seed, parts)` starts another game by its address; `parts` may name an opponent, the day and moves made. */
  constructor(game, place, seat, seed, parts, notice, go) {
    const against = parts.against === "score" ? "score" : "win";
    Object.assign(this, { game, place, against, notice, go, daily: parts.daily === "1" });
    this.training = newTraining(game, seat, seed, against);
    for (const text of (parts.moves ?? "").split(".").filter(Boolean)) {
      const place = Number(text);
      if (this.training.over || !(place < this.training.ranking.moves.length)) break;
      this.training.decide(place);
    }
    this.seedText = String(seed);
    this.seen = 0;
    this.said = "";
    this.begin();
  }

  /** Look at the decision on the table. */
  begin() {
    const { game, training } = this;
    this.decision = training.over ? null : new Decision(game, training.position, training.roll, {
      redraw: () => this.draw(),
      onJudged: (judged, first) => { if (first) this.record(judged); },
      after: (judged) => h("button", {
        type: "button", id: "roll-on", class: "main", onclick: firstTap(() => {
          this.seen = training.log.length;
          this.notice = "";
          training.take(judged);
          this.begin();
          this.draw();
          document.getElementById("decision-title")?.focus({ preventScroll: true });
        }),
      }, words.rollNext),
    });
  }

  /** A first try counts in the rating, unless anybody would have found it. */
  record({ position, roll, move, cost, counts }) {
    const { game, training: { seat, seed, decisions }, against } = this;
    if (counts) note([game.name, seat, seed, against, decisions.length].join("/"), game.name, seat, cost);
    if (cost) answered(adviseAddress(game, position, roll), game.name, cost);
  }

  address() {
    const { seat, seed, places } = this.training;
    return writeAddress("train", this.game.name, [seat, seed], {
      against: this.against === "win" ? "" : this.against, daily: this.daily ? "1" : "", moves: places.join("."),
    });
  }

  draw() {
    const { training } = this;
    replaceContent(this.place, [
      h("section", { class: "entering" }, this.settings(), training.over ? this.report() : this.decision.parts(this.told(), words.yourRoll)),
      this.story()], "decision-title");
    keepAddress(this.address());
    const text = [this.place.querySelector("#answer")?.innerText, this.place.querySelector("#outcome")?.innerText].filter(Boolean).join(" ");
    if (text !== this.said) say(text);
    this.said = text;
  }

  told() {
    const { game, training } = this;
    const since = training.log.slice(this.seen).slice(-3);
    return [
      this.notice ? h("p", { class: "hint" }, this.notice) : null,
      h("p", { class: "standing" }, game.told(training.position).join(" · ")),
      since.length ? h("ul", { class: "log" }, since.map((entry) => logLine(game, entry))) : null,
    ];
  }

  settings() {
    const { seat, seed } = this.training;
    const typed = /^\d{1,9}$/.test(this.seedText.trim()) ? Number(this.seedText) : null;
    const parts = (against) => ({ against: against === "win" ? "" : against });
    return h("details", { class: "card", id: "settings", open: this.place.querySelector("#settings")?.open ?? false },
      h("summary", { id: "settings-title" }, this.daily ? words.dailyTold(dayOf(seed)) : words.settings(words.seats[seat], seed)),
      choice("train-seat", words.youPlay, Object.entries(words.seats), seat, (value) => this.go(value, seed, parts(this.against))),
      choice("train-against", words.against, Object.entries(words.opponents), this.against, (value) => this.go(seat, seed, parts(value))),
      h("div", { class: "fields" },
        field("seed", words.gameNumber, this.seedText, typed === null ? words.badNumber : "", (value) => {
          this.seedText = value;
          this.draw();
        }, words.sameNumber)),
      h("div", { class: "actions" },
        h("button", {
          type: "button", id: "same-seed", disabled: typed === null, onclick: () => this.go(seat, typed, parts(this.against)),
        }, words.start),
        h("button", { type: "button", id: "daily", onclick: () => this.go(...today()) }, words.daily)),
      this.ratings());
  }

  ratings() {
    const found = ratings();
    const read = async (event) => {
      const text = await event.target.files[0]?.text();
      this.imported = text !== undefined && imported(text) ? words.imported : words.notImported;
      this.draw();
    };
    return [
      h("h2", {}, words.ratings),
      h("p", { class: "hint" }, words.ratingsHint),
      found.length ? h("table", { class: "account", id: "ratings" }, h("tbody", {}, found.map((row) =>
        h("tr", {}, h("th", { scope: "row" }, words.rating(row.game, words.seats[row.seat])),
          h("td", {}, words.rated((100 * row.mean).toFixed(2), (100 * row.error).toFixed(2), row.count)))))) : h("p", {}, words.noRatings),
      lasting() ? null : h("p", { class: "hint" }, words.notKept),
      h("div", { class: "actions" },
        h("button", {
          type: "button", id: "export", onclick: () => saveFile(new Blob([exported()], { type: "application/json" }), "gametheory.json"),
        }, words.exportIt),
        h("label", { class: "button", for: "import" }, words.importIt),
        h("input", { type: "file", id: "import", accept: "application/json,.json", class: "unseen", onchange: read })),
      this.imported ? h("p", { class: "hint", id: "imported" }, this.imported) : null,
    ];
  }

  report() {
    const { game, training } = this;
    const choices = training.decisions.filter((decision) => !decision.forced);
    const mistakes = choices.filter((decision) => decision.cost > 0).sort((a, b) => b.cost - a.cost);
    const rows = [
      [words.account.start, percent(training.start)],
      [words.account.luck, signed(training.luck)],
      [words.account.theirLuck, signed(training.theirLuck)],
      ...(training.theirGiven ? [[words.account.theirMistakes, signed(training.theirGiven)]] : []),
      [words.account.given, training.given ? signed(-training.given) : "0"],
      [words.account.brought, percent(training.result)],
    ];
    return h("section", { class: "card", "aria-label": words.reportTitle },
      h("h2", { id: "decision-title", tabindex: -1 }, words.reportTitle),
      h("p", { id: "outcome" }, training.outcome),
      h("p", { id: "summary" }, words.summary(choices.length, mistakes.length, inHundred(training.given))),
      h("table", { class: "account" }, h("tbody", {}, rows.map(([name, value]) =>
        h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))))),
      mistakes.length ? [h("h3", {}, words.costMost), h("ul", { class: "mistakes" }, mistakes.map((decision) => this.mistake(decision)))] : null,
      h("div", { class: "actions" },
        h("button", { type: "button", class: "main", id: "next-game", onclick: () => this.go(training.seat, null, { against: this.against === "win" ? "" : this.against }) }, words.another),
        this.daily ? h("button", { type: "button", id: "share", onclick: () => this.share(choices) }, words.shareResult) : null),
      h("p", { class: "hint", id: "shared" }),
      h("details", {}, h("summary", {}, words.record), h("pre", { id: "record", tabindex: 0 }, this.text())));
  }

  mistake({ position, roll, move, best, cost }) {
    const { game } = this;
    return h("li", {}, words.ofYouKept(inHundred(cost)), diceShown(game, roll), words.youKept, diceShown(game, move.keep), game.how(move),
      words.bestWas, diceShown(game, best.keep), game.how(best), " ",
      h("a", { href: adviseAddress(game, position, roll, move) }, words.openIt));
  }

  /** The game as text, as `gametheory review` reads it. */
  text() {
    const { game, training } = this;
    return [`game ${game.name}`, ...(game.tie ? [`tie ${game.tie}`] : []), ...training.decisions.map(({ position, roll, move }) => game.record(position, roll, move))].join("\n");
  }

  /** The result of the day, without the dice. */
  async share(choices) {
    const { game, training } = this;
    const squares = choices.map(({ cost }) => (cost === 0 ? "🟩" : cost < 0.01 ? "🟨" : "🟥")).join("");
    const text = words.sharedText(game.name, dayOf(training.seed), inHundred(training.given), choices.length, squares);
    const place = document.getElementById("shared");
    try {
      if (navigator.share) await navigator.share({ text });
      else await navigator.clipboard.writeText(text);
      place.textContent = text;
    } catch {
      place.textContent = text;
    }
  }

  /** What has happened so far. */
  story() {
    const { training } = this;
    if (!training.log.length) return null;
    return h("details", { class: "card", id: "story", open: this.place.querySelector("#story")?.open ?? false },
      h("summary", { id: "story-title" }, words.story),
      h("ul", { class: "log" }, training.log.map((entry) => logLine(this.game, entry))));
  }
}

function logLine(game, [before, roll, after]) {
  return h("li", {}, `${before} `, roll === null ? null : diceShown(game, roll), ` ${after}`);
}

/** The game of today: its number is the date, and one plays first and second by turns. */
export function today(date = new Date()) {
  const seed = date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
  return [date.getDate() % 2 ? "first" : "second", seed, { daily: "1" }];
}

function dayOf(seed) {
  return String(seed).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
}
