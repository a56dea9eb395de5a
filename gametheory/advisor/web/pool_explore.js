// Pictures of a pool game: the second player's chances, what the two ways to play make, and where they part.
//
// What is chosen: `against`, "first" or the target of the second player, and `measure`, what colours the fields.

import { heatMap, lineChart, trim } from "./charts.js";
import { decodeSingle, DISAGREE } from "./data.js";
import { choice, difference, h, percent, plural } from "./dom.js";

export function explorePool(game, chosen, width, change) {
  const targets = [];
  for (let target = game.lowest(game.counts); target <= game.highest(game.counts); target++) targets.push(target);
  const chances = targets.map((target) => game.secondChance(target, game.counts, 0));
  const shown = trim(chances.map((chance) => Math.min(chance, 1 - chance)), 1e-4);
  const [from, to] = [Math.max(0, shown[0] - 1), Math.min(targets.length, shown[1] + 1)];
  const seen = targets.slice(from, to);
  const seenChances = chances.slice(from, to);
  return [
    h("p", { class: "standing" }, "With the best play the first player wins ", h("strong", {}, percent(game.chance(game.start))),
      " and a player who plays for points expects ", h("strong", {}, game.expectedScore(game.counts, 0).toFixed(2)), "."),
    lineChart({
      id: "second", title: "The second player's chance against every score", xs: seen, yMost: 1, xLabel: "the first player's score", yLabel: "chance",
      series: [{ name: "chance", look: "win", ys: seenChances }], yFormat: (value) => `${Math.round(100 * value)}%`,
      prompt: "Point at the curve, tap it, or use the arrow keys.",
      read: (i) => `Against ${seen[i]} the second player wins ${percent(seenChances[i])}.`,
    }, width),
    poolDistributions(game, chosen, width, change),
    poolParting(game, chosen, width, change),
  ];
}

const isSeat = (seat, against) => String(seat.target ?? "first") === against;

/** The seats to look from: first, and second against some targets. */
function seatChoice(id, seats, against, change) {
  return h("div", { class: "field" }, h("label", { for: id }, "Playing"),
    h("select", { id, onchange: (event) => change({ against: event.target.value }) }, seats.map((seat) =>
      h("option", { value: seat.target ?? "first", selected: isSeat(seat, against) },
        seat.target === null ? "playing first" : `second, against ${seat.target}`))));
}

function poolDistributions(game, { against }, width, change) {
  const { seats, score: scoreText } = game.pictures;
  const seat = seats.find((other) => isSeat(other, against));
  const score = decodeSingle(scoreText);
  const win = decodeSingle(seat.win);
  const [from, to] = trim(score.map((p, i) => Math.max(p, win[i])), 1e-4);
  const low = game.lowest(game.counts);
  const xs = Array.from({ length: to - from }, (_, i) => low + from + i);
  const [forPoints, toWin] = [Array.from(score.slice(from, to)), Array.from(win.slice(from, to))];
  return lineChart({
    id: "distribution", title: "What the two ways to play make", xs, xLabel: "final score", yLabel: "chance",
    text: seat.target === null ? "The chance of every final score." : `The chance of every final score, when ${seat.target} is to be beaten.`,
    controls: seatChoice("distribution-seat", seats, against, change),
    series: [{ name: "playing to win", look: "win", ys: toWin }, { name: "playing for points", look: "score", ys: forPoints }],
    yFormat: (value) => `${Math.round(100 * value)}%`, prompt: "Point at the curves, tap them, or use the arrow keys.",
    read: (i) => `${xs[i]}: ${percent(toWin[i])} playing to win, ${percent(forPoints[i])} for points.`,
  }, width);
}

function poolParting(game, { against, measure }, width, change) {
  const { seats, bankedFrom, visits: visitsText } = game.pictures;
  const seat = seats.find((other) => isSeat(other, against));
  const [visits, often, cost] = [visitsText, seat.often, seat.cost].map(decodeSingle);
  const dice = game.counts.reduce((sum, n) => sum + n, 0);
  const columns = visits.length / dice;
  const at = (row, column) => (dice - 1 - row) * columns + column;
  const byColumn = Array.from({ length: columns }, (_, c) => Math.max(...Array.from({ length: dice }, (_, r) => visits[at(r, c)])));
  const [from, to] = trim(byColumn, 1e-5);
  const xs = Array.from({ length: to - from }, (_, i) => bankedFrom + from + i);
  const values = measure === "often" ? often : cost;
  const seen = (row, column) => visits[at(row, from + column)] > 1e-6;
  const most = values.reduce((best, value, i) => (visits[i] > 1e-6 ? Math.max(best, value) : best), 0) || 1;
  return heatMap({
    id: "parting", title: "Where playing to win and playing for points part",
    text: `A player who plays for points meets ${seat.perGame.toFixed(2)} such decisions a game, and they cost `
      + `${difference(seat.lost)} of winning chance in all.`,
    controls: h("div", { class: "fields" }, seatChoice("parting-seat", seats, against, change),
      choice("measure", "Colour", [["often", "how often"], ["cost", "what it costs"]], measure, (other) => change({ measure: other }))),
    xs, rows: Array.from({ length: dice }, (_, r) => dice - r), xLabel: "points banked", yLabel: "dice left",
    legend: [["win", measure === "often" ? `up to ${percent(most)} of rolls` : `up to ${difference(most)} a roll`],
      ["never", "reached, but they agree"]],
    prompt: "Point at a field, tap it, or use the arrow keys.",
    cell: (row, column) => {
      if (!seen(row, column)) return null;
      const value = values[at(row, from + column)];
      return value > DISAGREE ? { look: "win", strength: 0.12 + 0.88 * Math.sqrt(value / most) } : { look: "never", strength: 1 };
    },
    read: (row, column) => {
      const where = `${plural(dice - row, "die", "dice")} left, ${xs[column]} banked`;
      const i = at(row, from + column);
      if (!seen(row, column)) return `${where}: hardly ever reached.`;
      return `${where} (in ${percent(visits[i])} of games): they part at ${percent(often[i])} of rolls; a roll costs ${difference(cost[i])}.`;
    },
  }, width);
}
