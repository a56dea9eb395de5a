// Pictures of a race, all worked out here for any two scores.
//
// What is chosen: `score` and `opponent`, as they were typed.

import { heatMap, lineChart, trim } from "./charts.js";
import { DISAGREE } from "./data.js";
import { field, h, percent } from "./dom.js";
import { words } from "./words.js";

export function exploreRace(game, chosen, width, change) {
  const [score, opponent] = [game.checkScore(chosen.score), game.checkScore(chosen.opponent)];
  const place = h("section", { class: "card", id: "explore-position", tabindex: -1, "aria-label": words.positionTitle }, h("div", { class: "fields" },
    field("explore-score", words.yourScore, chosen.score, score.problem, (value) => change({ score: value })),
    field("explore-opponent", words.theirScore, chosen.opponent, opponent.problem, (value) => change({ opponent: value }))));
  if (score.problem || opponent.problem) return [place];
  const position = { ...game.start, score: score.value, opponent: opponent.value };
  return [
    place,
    h("p", { class: "standing" }, words.explorePosition(h("strong", {}, percent(game.chance(position))))),
    byOpponent(game, position, width),
    raceTurns(game, position, width),
    game.dice === 1 ? byScore(game, position, width) : byDice(game, position, width),
  ];
}

function byOpponent(game, { score }, width) {
  const xs = game.scores;
  const chances = xs.map((other) => game.match(score, other));
  return lineChart({
    id: "second", title: words.raceSecond, text: words.raceSecondText(score), xs, yMost: 1,
    xLabel: words.theirScoreAxis, yLabel: words.chance, series: [{ name: words.chance, look: "win", ys: chances }], yFormat: (value) => `${Math.round(100 * value)}%`,
    prompt: words.readCurve,
    read: (i) => words.raceSecondRead(xs[i], percent(chances[i])),
  }, width);
}

function raceTurns(game, position, width) {
  const toWin = game.turnScores(position, true);
  const forPoints = game.turnScores(position, false);
  const [bustToWin, bustForPoints] = [toWin.shift(), forPoints.shift()];
  const ranges = [trim(toWin, 1e-3), trim(forPoints, 1e-3)];
  const [from, to] = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  const xs = Array.from({ length: to - from }, (_, i) => (from + i + 1) * game.unit);
  const [win, score] = [toWin.slice(from, to), forPoints.slice(from, to)];
  return lineChart({
    id: "distribution", title: words.turnMakes, xs,
    text: words.turnText(percent(bustToWin), percent(bustForPoints)), xLabel: words.turnAxis, yLabel: words.chance,
    series: [{ name: words.playingToWin, look: "win", ys: win }, { name: words.playingForPoints, look: "score", ys: score }],
    yFormat: (value) => `${Math.round(100 * value)}%`, prompt: words.readCurves,
    read: (i) => words.makeRead(xs[i], percent(win[i]), percent(score[i])),
  }, width);
}

/** Bank or roll by dice left and turn total. */
function byDice(game, { score, opponent }, width) {
  const columns = Math.min(game.turn(score, opponent).need, Math.ceil(2500 / game.unit));
  const rows = Array.from({ length: game.dice }, (_, r) => r + 1);
  return bankOrRoll(game, rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
    (row) => ({ score, opponent, dice: rows[row] }), words.diceLeftAxis, (row) => words.diceLeftAt(rows[row]), width);
}

/** Bank or roll with one die: by own score and turn total. */
function byScore(game, { opponent }, width) {
  const rows = game.scores.filter((_, i) => i % Math.ceil(game.scores.length / 20) === 0);
  const columns = Math.min(Math.ceil(game.goal / game.unit), Math.ceil(50 / game.unit));
  return bankOrRoll(game, rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
    (row) => ({ score: rows[row], opponent, dice: 1 }), words.yourScoreAxis, (row) => words.youHave(rows[row]), width);
}

function bankOrRoll(game, rows, xs, position, yLabel, where, width) {
  const grid = rows.map((_, row) => {
    const { score, opponent, dice } = position(row);
    const chances = game.turn(score, opponent);
    return xs.map((turn) => {
      const acts = game.acts(chances, turn / game.unit, dice);
      if (acts.length < 2) return null;
      const [bank, roll] = acts.map((act) => act.win);
      const cost = Math.abs(roll - bank);
      return { bank, roll, parts: cost > DISAGREE && game.banksForPoints(acts) !== bank > roll, gap: cost };
    });
  });
  return heatMap({
    id: "parting", title: words.bankOrRoll, text: words.bankText, xs, rows, xLabel: words.turnTotalAxis, yLabel,
    legend: [["roll", words.rollToWin], ["bank", words.bankToWin], ["mark-of", words.pointsOther]],
    prompt: words.readField,
    cell: (row, column) => {
      const cell = grid[row][column];
      if (!cell) return { look: "never", strength: 1 };
      return { look: cell.roll > cell.bank ? "roll" : "bank", strength: 0.78 + 0.22 * Math.min(1, Math.sqrt(cell.gap / 0.1)), mark: cell.parts };
    },
    read: (row, column) => {
      const cell = grid[row][column];
      if (!cell) return words.cellLow(where(row), xs[column]);
      return words.cellRead(where(row), xs[column], percent(cell.bank), percent(cell.roll), cell.parts);
    },
  }, width);
}
