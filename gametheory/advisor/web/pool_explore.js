// Pictures of a pool game: the second player's chances, what the two ways to play make, and where they part.
//
// What is chosen: `against`, "first" or the target of the second player, and `measure`, what colours the fields.

import { heatMap, lineChart, trim } from "./charts.js";
import { decodeSingle, DISAGREE } from "./data.js";
import { choice, h, inHundred, percent } from "./dom.js";
import { words } from "./words.js";

export function explorePool(game, chosen, width, change) {
  const targets = [];
  for (let target = game.lowest(game.counts); target <= game.highest(game.counts); target++) targets.push(target);
  const chances = targets.map((target) => game.reply(target));
  const shown = trim(chances.map((chance) => Math.min(chance, 1 - chance)), 1e-4);
  const [from, to] = [Math.max(0, shown[0] - 1), Math.min(targets.length, shown[1] + 1)];
  const seen = targets.slice(from, to);
  const seenChances = chances.slice(from, to);
  return [
    h("p", { class: "standing" }, words.exploreText(
      h("strong", {}, percent(game.chance(game.start))), h("strong", {}, game.expectedScore(game.counts, 0, game.limit).toFixed(2)))),
    lineChart({
      id: "second", title: words.secondTitle, xs: seen, yMost: 1, xLabel: words.firstScore, yLabel: words.chance,
      series: [{ name: words.chance, look: "win", ys: seenChances }], yFormat: (value) => `${Math.round(100 * value)}%`,
      prompt: words.readCurve,
      read: (i) => words.secondRead(seen[i], percent(seenChances[i])),
    }, width),
    poolDistributions(game, chosen, width, change),
    poolParting(game, chosen, width, change),
  ];
}

const isSeat = (seat, against) => String(seat.target ?? "first") === against;

/** The seats to look from: first, and second against some targets. */
function seatChoice(id, seats, against, change) {
  return h("div", { class: "field" }, h("label", { for: id }, words.playing),
    h("select", { id, onchange: (event) => change({ against: event.target.value }) }, seats.map((seat) =>
      h("option", { value: seat.target ?? "first", selected: isSeat(seat, against) },
        seat.target === null ? words.playingFirst : words.playingSecond(seat.target)))));
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
    id: "distribution", title: words.makeTitle, xs, xLabel: words.finalScore, yLabel: words.chance,
    text: seat.target === null ? words.everyScore : words.everyScoreAgainst(seat.target),
    controls: seatChoice("distribution-seat", seats, against, change),
    series: [{ name: words.playingToWin, look: "win", ys: toWin }, { name: words.playingForPoints, look: "score", ys: forPoints }],
    yFormat: (value) => `${Math.round(100 * value)}%`, prompt: words.readCurves,
    read: (i) => words.makeRead(xs[i], percent(toWin[i]), percent(forPoints[i])),
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
    id: "parting", title: words.partTitle,
    text: words.partText(seat.perGame.toFixed(2), inHundred(seat.lost)),
    controls: h("div", { class: "fields" }, seatChoice("parting-seat", seats, against, change),
      choice("measure", words.colour, [["often", words.howOften], ["cost", words.whatCost]], measure, (other) => change({ measure: other }))),
    xs, rows: Array.from({ length: dice }, (_, r) => dice - r), xLabel: words.pointsBanked, yLabel: words.diceLeftAxis,
    legend: [["win", measure === "often" ? words.upToRolls(percent(most)) : words.upToCost(inHundred(most))],
      ["never", words.agree]],
    prompt: words.readField,
    cell: (row, column) => {
      if (!seen(row, column)) return null;
      const value = values[at(row, from + column)];
      return value > DISAGREE ? { look: "win", strength: 0.78 + 0.22 * Math.sqrt(value / most) } : { look: "never", strength: 1 };
    },
    read: (row, column) => {
      const where = words.where(dice - row, xs[column]);
      const i = at(row, from + column);
      if (!seen(row, column)) return words.hardlyReached(where);
      return words.partRead(where, percent(visits[i]), percent(often[i]), inHundred(cost[i]));
    },
  }, width);
}
