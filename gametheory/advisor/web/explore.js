// Explore: what is solved, as pictures.

import { choice, difference, field, h, percent, plural, replaceContent, wholeNumber } from "./dom.js";
import { heatMap, lineChart } from "./charts.js";
import { decodeSingle } from "./pool.js";

export class Explore {
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.against = "first";
    this.measure = "often";
    this.score = "0";
    this.opponent = "0";
    this.lastWidth = 0;
    addEventListener("resize", () => {
      if (this.place.isConnected && this.place.clientWidth !== this.lastWidth) this.draw();
    });
  }

  change(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  draw() {
    this.lastWidth = this.place.clientWidth;
    const width = Math.max(270, Math.min(820, this.lastWidth - 26));
    replaceContent(this.place, this.game.family === "pool" ? this.pool(width) : this.race(width), "explore-position");
  }

  // Pools

  pool(width) {
    const { game } = this;
    const { explore } = game;
    const targets = [];
    for (let target = game.lowest(game.start); target <= game.highest(game.start); target++) targets.push(target);
    const chances = targets.map((target) => game.secondChance(target, game.start, 0));
    const shown = trim(chances.map((chance) => Math.min(chance, 1 - chance)), 1e-4);
    const [from, to] = [Math.max(0, shown[0] - 1), Math.min(targets.length, shown[1] + 1)];
    const seen = targets.slice(from, to);
    const seenChances = chances.slice(from, to);
    return [
      h("p", { class: "standing" }, "With the best play the first player wins ", h("strong", {}, percent(game.firstChance(game.start, 0))),
        " and a player who plays for points expects ", h("strong", {}, game.expectedScore(game.start, 0).toFixed(2)), "."),
      lineChart({
        id: "second", title: "The second player's chance against every score", xs: seen, yMost: 1, xLabel: "the first player's score", yLabel: "chance",
        series: [{ name: "chance", look: "win", ys: seenChances }], yFormat: (value) => `${Math.round(100 * value)}%`,
        prompt: "Point at the curve, tap it, or use the arrow keys.",
        read: (i) => `Against ${seen[i]} the second player wins ${percent(seenChances[i])}.`,
      }, width),
      explore ? this.distributions(explore, width) : null,
      explore ? this.parting(explore, width) : null,
    ];
  }

  /** The seats to look from: first, and second against some targets. */
  seats(explore) {
    const options = explore.seats.map((seat, i) => h("option", { value: seat.target ?? "first", selected: this.chosen(seat) },
      seat.target === null ? "playing first" : `second, against ${seat.target}`));
    return (id) => h("div", { class: "field" }, h("label", { for: id }, "Playing"),
      h("select", { id, onchange: (event) => this.change({ against: event.target.value }) }, options.map((option) => option.cloneNode(true))));
  }

  chosen(seat) {
    return String(seat.target ?? "first") === this.against;
  }

  distributions(explore, width) {
    const seat = explore.seats.find((other) => this.chosen(other));
    const score = decodeSingle(explore.score);
    const win = decodeSingle(seat.win);
    const [from, to] = trim(score.map((p, i) => Math.max(p, win[i])), 1e-4);
    const low = this.game.lowest(this.game.start);
    const xs = Array.from({ length: to - from }, (_, i) => low + from + i);
    const [forPoints, toWin] = [Array.from(score.slice(from, to)), Array.from(win.slice(from, to))];
    return lineChart({
      id: "distribution", title: "What the two ways to play make", xs, xLabel: "final score", yLabel: "chance",
      text: seat.target === null ? "The chance of every final score." : `The chance of every final score, when ${seat.target} is to be beaten.`,
      controls: this.seats(explore)("distribution-seat"),
      series: [{ name: "playing to win", look: "win", ys: toWin }, { name: "playing for points", look: "score", ys: forPoints }],
      yFormat: (value) => `${Math.round(100 * value)}%`, prompt: "Point at the curves, tap them, or use the arrow keys.",
      read: (i) => `${xs[i]}: ${percent(toWin[i])} playing to win, ${percent(forPoints[i])} for points.`,
    }, width);
  }

  parting(explore, width) {
    const { game } = this;
    const seat = explore.seats.find((other) => this.chosen(other));
    const [visits, often, cost] = [explore.visits, seat.often, seat.cost].map(decodeSingle);
    const dice = game.counts.reduce((sum, n) => sum + n, 0);
    const columns = visits.length / dice;
    const at = (row, column) => (dice - 1 - row) * columns + column;
    const byColumn = Array.from({ length: columns }, (_, c) => Math.max(...Array.from({ length: dice }, (_, r) => visits[at(r, c)])));
    const [from, to] = trim(byColumn, 1e-5);
    const xs = Array.from({ length: to - from }, (_, i) => explore.bankedFrom + from + i);
    const values = this.measure === "often" ? often : cost;
    const seen = (row, column) => visits[at(row, from + column)] > 1e-6;
    const most = values.reduce((best, value, i) => (visits[i] > 1e-6 ? Math.max(best, value) : best), 0) || 1;
    return heatMap({
      id: "parting", title: "Where playing to win and playing for points part",
      text: `A player who plays for points meets ${seat.perGame.toFixed(2)} such decisions a game, and they cost `
        + `${difference(seat.lost)} of winning chance in all.`,
      controls: h("div", { class: "fields" }, this.seats(explore)("parting-seat"),
        choice("measure", "Colour", [["often", "how often"], ["cost", "what it costs"]], this.measure, (measure) => this.change({ measure }))),
      xs, rows: Array.from({ length: dice }, (_, r) => dice - r), xLabel: "points banked", yLabel: "dice left",
      legend: [["win", this.measure === "often" ? `up to ${percent(most)} of rolls` : `up to ${difference(most)} a roll`],
        ["never", "reached, but they agree"]],
      prompt: "Point at a field, tap it, or use the arrow keys.",
      cell: (row, column) => {
        if (!seen(row, column)) return null;
        const value = values[at(row, from + column)];
        return value > 1e-9 ? { look: "win", strength: 0.12 + 0.88 * Math.sqrt(value / most) } : { look: "never", strength: 1 };
      },
      read: (row, column) => {
        const where = `${plural(dice - row, "die", "dice")} left, ${xs[column]} banked`;
        const i = at(row, from + column);
        if (!seen(row, column)) return `${where}: hardly ever reached.`;
        return `${where} (in ${percent(visits[i])} of games): they part at ${percent(often[i])} of rolls; a roll costs ${difference(cost[i])}.`;
      },
    }, width);
  }

  // Races: all worked out here, for any two scores.

  race(width) {
    const { game } = this;
    const [score, opponent] = [wholeNumber(this.score), wholeNumber(this.opponent)];
    const check = (value, text) => (value === null ? `“${text.trim()}” is no score: give a whole number.` : game.problemScore(value));
    const problems = [check(score, this.score), check(opponent, this.opponent)];
    const position = h("section", { class: "card", id: "explore-position", tabindex: -1, "aria-label": "position" }, h("div", { class: "fields" },
      field("explore-score", "Your score", this.score, problems[0], (value) => this.change({ score: value })),
      field("explore-opponent", "Their score", this.opponent, problems[1], (value) => this.change({ opponent: value }))));
    if (problems.some(Boolean)) return [position];
    return [
      position,
      h("p", { class: "standing" }, "It is your turn: you win ", h("strong", {}, percent(game.match(score, opponent))), "."),
      this.byOpponent(score, opponent, width),
      this.turnScores(score, opponent, width),
      game.dice === 1 ? this.byScore(opponent, width) : this.byDice(score, opponent, width),
    ];
  }

  byOpponent(score, opponent, width) {
    const { game } = this;
    const xs = game.scores;
    const chances = xs.map((other) => game.match(score, other));
    return lineChart({
      id: "second", title: "Your chance against every score of theirs", text: `You have ${score} and it is your turn.`, xs, yMost: 1,
      xLabel: "their score", yLabel: "chance", series: [{ name: "chance", look: "win", ys: chances }], yFormat: (value) => `${Math.round(100 * value)}%`,
      prompt: "Point at the curve, tap it, or use the arrow keys.",
      read: (i) => `They have ${xs[i]}: you win ${percent(chances[i])}.`,
    }, width);
  }

  turnScores(score, opponent, width) {
    const { game } = this;
    const toWin = game.turnScores(score, opponent, true);
    const forPoints = game.turnScores(score, opponent, false);
    const [bustToWin, bustForPoints] = [toWin.shift(), forPoints.shift()];
    const ranges = [trim(toWin, 1e-3), trim(forPoints, 1e-3)];
    const [from, to] = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
    const xs = Array.from({ length: to - from }, (_, i) => (from + i + 1) * game.unit);
    const [win, points] = [toWin.slice(from, to), forPoints.slice(from, to)];
    return lineChart({
      id: "distribution", title: "What a turn makes", xs,
      text: `A turn ends with nothing in ${percent(bustToWin)} playing to win and in ${percent(bustForPoints)} playing for points.`, xLabel: "points in this turn", yLabel: "chance",
      series: [{ name: "playing to win", look: "win", ys: win }, { name: "playing for points", look: "score", ys: points }],
      yFormat: (value) => `${Math.round(100 * value)}%`, prompt: "Point at the curves, tap them, or use the arrow keys.",
      read: (i) => `${xs[i]}: ${percent(win[i])} playing to win, ${percent(points[i])} for points.`,
    }, width);
  }

  /** Bank or roll by dice left and turn total. */
  byDice(score, opponent, width) {
    const { game } = this;
    const columns = Math.min(game.turn(score, opponent).need, Math.ceil(2500 / game.unit));
    const rows = Array.from({ length: game.dice }, (_, r) => r + 1);
    return this.bankOrRoll(rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
      (row) => ({ score, opponent, dice: rows[row] }), "dice left", (row) => `${plural(rows[row], "die", "dice")} left`, width);
  }

  /** Bank or roll with one die: by own score and turn total. */
  byScore(opponent, width) {
    const { game } = this;
    const rows = game.scores.filter((_, i) => i % Math.ceil(game.scores.length / 20) === 0);
    const columns = Math.min(Math.ceil(game.goal / game.unit), Math.ceil(50 / game.unit));
    return this.bankOrRoll(rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
      (row) => ({ score: rows[row], opponent, dice: 1 }), "your score", (row) => `you have ${rows[row]}`, width);
  }

  bankOrRoll(rows, xs, position, yLabel, where, width) {
    const { game } = this;
    const grid = rows.map((_, row) => {
      const { score, opponent, dice } = position(row);
      const chances = game.turn(score, opponent);
      return xs.map((turn) => {
        const total = turn / game.unit;
        const bank = chances.bank(total);
        if (bank === -Infinity) return null;
        const roll = chances.rolled(total, dice);
        const rollsForPoints = score + turn < game.goal && game.expectedTurn(chances.open, total, dice) > turn + 1e-9;
        const cost = Math.abs(roll - bank);
        return { bank, roll, parts: cost > 1e-9 && rollsForPoints !== roll > bank, gap: cost };
      });
    });
    return heatMap({
      id: "parting", title: "Bank or roll", text: "Dots: playing for points does the other thing.", xs, rows, xLabel: "turn total", yLabel,
      legend: [["win", "roll to win"], ["score", "bank to win"], ["dot", "points say otherwise"]],
      prompt: "Point at a field, tap it, or use the arrow keys.",
      cell: (row, column) => {
        const cell = grid[row][column];
        if (!cell) return { look: "never", strength: 1 };
        return { look: cell.roll > cell.bank ? "win" : "score", strength: 0.2 + 0.8 * Math.min(1, Math.sqrt(cell.gap / 0.1)), mark: cell.parts };
      },
      read: (row, column) => {
        const cell = grid[row][column];
        if (!cell) return `${where(row)}, turn total ${xs[column]}: too little to bank.`;
        return `${where(row)}, turn total ${xs[column]}: banking wins ${percent(cell.bank)}, rolling ${percent(cell.roll)}`
          + `${cell.parts ? "; playing for points does the other thing" : ""}.`;
      },
    }, width);
  }
}

/** Where the numbers first and last rise above some least: [from, to). */
function trim(numbers, least) {
  const list = Array.from(numbers);
  const from = list.findIndex((n) => n > least);
  return from < 0 ? [0, list.length] : [from, list.findLastIndex((n) => n > least) + 1];
}
