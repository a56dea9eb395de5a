// Pictures of a race, all worked out here for any two scores.
//
// What is chosen: `score` and `opponent`, as they were typed.

import { heatMap, lineChart, trim } from "./charts.js";
import { DISAGREE } from "./data.js";
import { field, h, percent, plural } from "./dom.js";

export function exploreRace(game, chosen, width, change) {
  const [score, opponent] = [game.checkScore(chosen.score), game.checkScore(chosen.opponent)];
  const place = h("section", { class: "card", id: "explore-position", tabindex: -1, "aria-label": "position" }, h("div", { class: "fields" },
    field("explore-score", "Your score", chosen.score, score.problem, (value) => change({ score: value })),
    field("explore-opponent", "Their score", chosen.opponent, opponent.problem, (value) => change({ opponent: value }))));
  if (score.problem || opponent.problem) return [place];
  const position = { ...game.start, score: score.value, opponent: opponent.value };
  return [
    place,
    h("p", { class: "standing" }, "It is your turn: you win ", h("strong", {}, percent(game.chance(position))), "."),
    byOpponent(game, position, width),
    raceTurns(game, position, width),
    game.dice === 1 ? byScore(game, position, width) : byDice(game, position, width),
  ];
}

function byOpponent(game, { score }, width) {
  const xs = game.scores;
  const chances = xs.map((other) => game.match(score, other));
  return lineChart({
    id: "second", title: "Your chance against every score of theirs", text: `You have ${score} and it is your turn.`, xs, yMost: 1,
    xLabel: "their score", yLabel: "chance", series: [{ name: "chance", look: "win", ys: chances }], yFormat: (value) => `${Math.round(100 * value)}%`,
    prompt: "Point at the curve, tap it, or use the arrow keys.",
    read: (i) => `They have ${xs[i]}: you win ${percent(chances[i])}.`,
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
    id: "distribution", title: "What a turn makes", xs,
    text: `A turn ends with nothing in ${percent(bustToWin)} playing to win and in ${percent(bustForPoints)} playing for points.`, xLabel: "points in this turn", yLabel: "chance",
    series: [{ name: "playing to win", look: "win", ys: win }, { name: "playing for points", look: "score", ys: score }],
    yFormat: (value) => `${Math.round(100 * value)}%`, prompt: "Point at the curves, tap them, or use the arrow keys.",
    read: (i) => `${xs[i]}: ${percent(win[i])} playing to win, ${percent(score[i])} for points.`,
  }, width);
}

/** Bank or roll by dice left and turn total. */
function byDice(game, { score, opponent }, width) {
  const columns = Math.min(game.turn(score, opponent).need, Math.ceil(2500 / game.unit));
  const rows = Array.from({ length: game.dice }, (_, r) => r + 1);
  return bankOrRoll(game, rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
    (row) => ({ score, opponent, dice: rows[row] }), "dice left", (row) => `${plural(rows[row], "die", "dice")} left`, width);
}

/** Bank or roll with one die: by own score and turn total. */
function byScore(game, { opponent }, width) {
  const rows = game.scores.filter((_, i) => i % Math.ceil(game.scores.length / 20) === 0);
  const columns = Math.min(Math.ceil(game.goal / game.unit), Math.ceil(50 / game.unit));
  return bankOrRoll(game, rows, Array.from({ length: columns }, (_, c) => (c + 1) * game.unit),
    (row) => ({ score: rows[row], opponent, dice: 1 }), "your score", (row) => `you have ${rows[row]}`, width);
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
