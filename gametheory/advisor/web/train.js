// Train: the page rolls, you decide, and every decision is set against the best one.
//
// My chance to win, as both would go on playing at their best, changes only by dice (luck) and by my mistakes, so that
//     chance at the start + luck of my dice + luck of theirs - chance given away = what the game brought.

import { arrows, choice, difference, field, h, percent, plural, points, replaceContent, say, signed } from "./dom.js";
import { dieFace, diceShown } from "./dice_view.js";
import { TIED } from "./pool.js";
import { Stream } from "./random.js";

/** A training game of either family: rolls, decisions, and the account of chances. */
class Training {
  constructor(game, seat, seed) {
    Object.assign(this, { game, seat, seed });
    this.dice = [new Stream(seed, 0), new Stream(seed, 1)];
    this.decisions = [];
    this.given = 0;
    this.luck = 0;
    this.theirLuck = 0;
    this.log = [];
    this.over = false;
    this.outcome = "";
    this.result = null;
  }

  /** My stream is that of my seat: who goes first throws the first one. */
  throwDice(mine, count, sides) {
    return this.dice[mine === (this.seat === "first") ? 0 : 1].roll(count, sides);
  }

  get sides() {
    return this.game.family === "pool" ? this.game.sides : [this.game.sides];
  }

  rollLeft(mine, left) {
    return left.map((count, kind) => this.throwDice(mine, count, this.sides[kind]));
  }

  /** Take one of the ranked moves, and put down what it costs. */
  decide(place) {
    const { moves } = this.ranking;
    const move = moves[place];
    const cost = moves[0].win - move.win > TIED ? moves[0].win - move.win : 0;
    this.given += cost;
    const decision = { roll: this.roll, move, best: moves[0], cost, forced: moves.length === 1 };
    this.decisions.push(decision);
    this.play(move);
    return decision;
  }

  finish(result, text) {
    this.over = true;
    this.result = result;
    this.outcome = text;
  }
}

export class PoolTraining extends Training {
  constructor(game, seat, seed) {
    super(game, seat, seed);
    this.left = game.start;
    this.banked = 0;
    this.target = null;
    this.start = seat === "first" ? game.firstChance(game.start, 0) : 1 - game.firstChance(game.start, 0);
    if (seat === "second") this.target = this.opponent(null);
    this.next();
  }

  /** My chance before the roll. */
  chance() {
    return this.game.chance(this.left, this.banked, this.target);
  }

  next() {
    this.roll = this.rollLeft(true, this.left);
    this.ranking = this.game.rank(this.roll, this.banked, this.target);
    this.luck += this.ranking.moves[0].win - this.chance();
  }

  play(move) {
    this.banked += move.points;
    this.left = move.left;
    if (this.left.some(Boolean)) {
      this.next();
      return;
    }
    const mine = this.banked;
    const theirs = this.target ?? this.opponent(mine);
    const tie = this.seat === "first" ? 1 - this.game.tieWorth : this.game.tieWorth;
    const won = this.game.higher ? mine > theirs : mine < theirs;
    const said = mine === theirs ? "a tie" : won ? "you win" : "they win";
    this.finish(mine === theirs ? tie : Number(won), `You made ${mine}, they made ${theirs}: ${said}.`);
  }

  /** Let the other player play out, at his best; return his score. */
  opponent(target) {
    let left = this.game.start;
    let banked = 0;
    while (left.some(Boolean)) {
      const roll = this.rollLeft(false, left);
      const best = this.game.rank(roll, banked, target).moves[0];
      this.theirLuck -= best.win - this.game.chance(left, banked, target);
      this.log.push([`They keep ${this.game.writeRoll(best.keep)} of`, roll, `and have ${banked + best.points}`]);
      banked += best.points;
      left = best.left;
    }
    return banked;
  }
}

export class RaceTraining extends Training {
  constructor(game, seat, seed) {
    super(game, seat, seed);
    this.score = 0;
    this.theirs = 0;
    this.start = seat === "first" ? game.match(0, 0) : 1 - game.match(0, 0);
    if (seat === "second") this.opponent();
    if (!this.over) this.begin();
  }

  begin() {
    this.turn = 0;
    this.left = [this.game.dice];
    this.next();
  }

  chance() {
    return before(this.game, this.score, this.theirs, this.turn, this.left[0]);
  }

  /** Throw for me; a bust passes the turn, and so on until there is something to decide. */
  next() {
    this.roll = this.rollLeft(true, this.left);
    const chance = this.chance();
    this.ranking = this.game.rank(this.roll[0], this.turn, this.score, this.theirs);
    if (this.ranking.moves.length) {
      this.luck += this.ranking.moves[0].win - chance;
      return;
    }
    this.luck += 1 - this.game.match(this.theirs, this.score) - chance;
    this.log.push(["You bust with", this.roll, this.turn ? `and lose ${this.turn}` : ""]);
    this.pass();
  }

  pass() {
    this.opponent();
    if (!this.over) this.begin();
  }

  play(move) {
    this.turn += move.points;
    if (!move.bank) {
      this.left = [move.dice];
      this.next();
      return;
    }
    // A total that may not be banked, with no dice left to throw, is lost.
    const counts = move.score > 0;
    if (counts) this.score += this.turn;
    this.log.push([`You bank ${counts ? this.turn : 0} and have ${this.score}`, [], ""]);
    if (this.score >= this.game.goal) this.finish(1, `You made ${this.score}, they made ${this.theirs}: you win.`);
    else this.pass();
  }

  /** Let the other player play one turn, at his best. */
  opponent() {
    let turn = 0;
    let dice = this.game.dice;
    for (;;) {
      const roll = this.throwDice(false, dice, this.game.sides);
      const chance = before(this.game, this.theirs, this.score, turn, dice);
      const best = this.game.rank(roll, turn, this.theirs, this.score).moves[0];
      if (!best) {
        this.theirLuck -= 1 - this.game.match(this.score, this.theirs) - chance;
        this.log.push(["They bust with", [roll], turn ? `and lose ${turn}` : ""]);
        return;
      }
      this.theirLuck -= best.win - chance;
      turn += best.points;
      if (best.bank) {
        if (best.score > 0) this.theirs += turn;
        this.log.push([`They bank ${best.score > 0 ? turn : 0} and have ${this.theirs}`, [], ""]);
        if (this.theirs >= this.game.goal) this.finish(0, `You made ${this.score}, they made ${this.theirs}: they win.`);
        return;
      }
      dice = best.dice;
    }
  }
}

/** The chance to win of a player who has decided to throw so many dice at a turn total. */
function before(game, score, other, turn, dice) {
  return turn ? game.turn(score, other).rolled(turn / game.unit, dice) : game.match(score, other);
}

export function newTraining(game, seat, seed) {
  return game.family === "pool" ? new PoolTraining(game, seat, seed) : new RaceTraining(game, seat, seed);
}

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
    const pool = game.family === "pool";
    const where = pool
      ? [`${training.banked} banked`, training.target === null ? "they play after you" : `they made ${training.target}`]
      : [`you ${training.score}`, `they ${training.theirs}`, `this turn ${training.turn}`];
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
      h("p", { class: "standing" }, where.join(" · ")),
      this.note ? h("p", { class: "hint" }, this.note) : null,
      arrows(h("div", { class: "dice tapped", role: "group", "aria-label": "your roll; choose what to keep" }, dice), false),
      this.problem ? h("p", { class: "problem", id: "keep-problem" }, this.problem) : null,
      h("div", { class: "actions" }, pool
        ? h("button", { type: "button", class: "main", id: "keep", onclick: () => this.keep(null) }, keep)
        : [h("button", { type: "button", class: "main", id: "keep-roll", onclick: () => this.keep(false) }, `${keep}, roll on`),
          h("button", { type: "button", class: "main", id: "keep-bank", onclick: () => this.keep(true) }, `${keep}, bank`)]),
      this.verdict());
  }

  /** Play the chosen dice, or say why they cannot be played. */
  keep(bank) {
    const { game, training } = this;
    const kept = training.roll.map((faces, kind) => faces.filter((_, i) => this.chosen.has(`${kind}-${i}`)));
    const written = game.writeRoll(kept);
    const same = training.ranking.moves.filter((move) => game.writeRoll(move.keep) === written);
    const place = training.ranking.moves.findIndex((move) => game.writeRoll(move.keep) === written && (bank === null || move.bank === bank));
    if (place < 0) {
      if (!this.chosen.size) this.problem = "Choose at least one die to keep.";
      else if (!same.length) this.problem = `${written}: not all of these dice score. Keep only dice that do.`;
      else this.problem = bank ? `Too little to bank: the first points must be at least ${game.opening}.` : "No dice are left to roll: bank.";
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
    const how = (found) => (game.family === "race" ? (found.bank ? " and bank" : " and roll") : "");
    const bars = cost ? [["You", move], ["Best", best]].map(([who, found]) => {
      const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "fill" }));
      bar.firstChild.style.width = `${100 * found.win}%`;
      return h("div", { class: "compare" }, h("span", {}, who), h("span", { class: "what" }, diceShown(game, found.keep), how(found)),
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
    return this.game.family === "race" ? (move.bank ? " and bank" : " and roll") : "";
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
