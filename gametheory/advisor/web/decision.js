// One decision of a person: dice are chosen, the choice freezes beside the best, and may be tried again. Nothing goes on
// before it is asked for.

import { diceShown, table, toggled } from "./dice_view.js";
import { apart, firstTap, h, inHundred, percent } from "./dom.js";
import { judge } from "./training.js";
import { words } from "./words.js";

export class Decision {
  /** `onJudged(decision, first)` hears what was chosen, `redraw` shows it, `after` are the buttons once it is judged. */
  constructor(game, position, roll, { redraw, onJudged, after }) {
    Object.assign(this, { game, position, roll, redraw, onJudged, after });
    this.tray = game.trayOf(roll);
    this.tries = 0;
    this.clear();
  }

  clear() {
    Object.assign(this, { keep: this.game.noKeep(), judged: null, problem: "" });
  }

  get ranking() {
    this.ranked ??= this.game.rank(this.position, this.roll);
    return this.ranked;
  }

  /** Hold the chosen dice to the best, or say why they cannot be kept. */
  choose(way) {
    const { game } = this;
    const written = game.writeRoll(this.keep);
    const same = this.ranking.moves.filter((move) => game.writeRoll(move.keep) === written);
    const move = same.find((other) => other.way === way);
    if (!move) {
      this.problem = game.refusal(this.keep, same.length > 0, way);
      this.redraw();
      return;
    }
    this.problem = "";
    this.judged = { ...judge(this.ranking, move), place: this.ranking.moves.indexOf(move), position: this.position, roll: this.roll };
    this.onJudged(this.judged, this.tries++ === 0);
    this.redraw();
    document.getElementById("decision-title")?.focus({ preventScroll: true });
  }

  parts(told, title) {
    const { game, judged } = this;
    const kept = judged ? judged.move.keep : this.keep;
    const most = game.listed ? 0 : game.start.left.reduce((sum, n) => sum + n, 0);
    return [
      h("div", { class: "answer", id: "answer" },
        h("h2", { id: "decision-title", tabindex: -1 }, judged ? this.verdictTitle() : title),
        judged ? this.verdict() : [told, h("p", { class: "hint", id: "worth" }, game.worth(this.keep)), this.problem ? h("p", { class: "problem", id: "keep-problem" }, this.problem) : null]),
      game.listed ? this.list() : table(game, this.position.left, this.tray, kept, {
        most, title, label: words.dieShowing,
        onTap: judged ? null : (die, on) => {
          this.keep = toggled(this.keep, die, on);
          this.problem = "";
          this.redraw();
        },
      }),
      h("div", { class: "actions keepers" }, judged
        ? [h("button", { type: "button", id: "again", onclick: firstTap(() => { this.clear(); this.redraw(); }) }, words.again), this.after(judged)]
        : game.ways.map(({ id, label }, way) => h("button", {
          type: "button", class: "main", id, onclick: () => this.choose(way),
        }, label))),
    ];
  }

  /** Moves that are told in words are chosen from a list. */
  list() {
    const { game, judged } = this;
    const listed = [...this.ranking.moves].sort((a, b) => a.listed - b.listed);
    return h("div", { class: "options", role: "group", "aria-label": words.moves }, h("p", {}, game.writeRoll(this.roll)), listed.map((move, i) => h("button", {
      type: "button", id: `die-${i}`, "aria-pressed": String(this.keep === move.keep), disabled: judged !== null,
      onclick: () => { this.keep = move.keep; this.problem = ""; this.redraw(); },
    }, game.writeRoll(move.keep))));
  }

  verdictTitle() {
    const { cost, forced, best } = this.judged;
    if (forced) return words.forced;
    return cost ? words.costs(inHundred(cost)) : words.bestMove(percent(best.win));
  }

  /** What was chosen beside the best, what that costs, and why. */
  verdict() {
    const { game, judged: { move, best, cost } } = this;
    if (!cost) return h("p", { id: "verdict", class: "hint" }, words.toWin(percent(best.win)));
    const why = game.why(this.position, best, move);
    const [won, could] = apart(move.win, best.win);
    const row = (who, found, games) => h("p", { class: "compare" }, h("span", {}, who),
      h("span", { class: "what" }, diceShown(game, found.keep), game.how(found)), h("strong", {}, games));
    return h("div", { id: "verdict" }, row(words.you, move, won), row(words.best, best, could), why ? h("p", { class: "why" }, why) : null);
  }
}
