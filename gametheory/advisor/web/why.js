// Why one move is better than another: the two side by side.

import { lineChart } from "./charts.js";
import { percent } from "./dom.js";
import { DISAGREE } from "./data.js";
import { words } from "./words.js";

/** The move to set beside the best: the one chosen, else the best for points, where it is worse; or null. */
export function besides({ best, chosen, forPoints }) {
  return [chosen, forPoints].find((move) => move && best.win - move.win > DISAGREE) ?? null;
}

/** The chance to beat each score after the best move and after another, as a picture; null where there is nothing to show. */
export function sideBySide(game, position, best, other, width) {
  const curves = game.curves(position, best, other);
  if (!curves) return null;
  const { xs } = curves;
  const differ = xs.map((_, i) => Math.abs(curves.best[i] - curves.other[i]) > 1e-4);
  const [from, to] = [Math.max(0, differ.indexOf(true) - 2), Math.min(xs.length, differ.lastIndexOf(true) + 3)];
  const cut = (list) => list.slice(from, to);
  return lineChart({
    id: "side", title: words.sideBySide, text: words.sideText, xs: cut(xs), yMost: 1, xLabel: curves.xLabel, yLabel: words.chance,
    series: [
      { name: words.bestLine(game.writeRoll(best.keep)), look: "best", ys: cut(curves.best) },
      { name: words.otherLine(game.writeRoll(other.keep)), look: "other", ys: cut(curves.other) },
    ],
    yFormat: (value) => `${Math.round(100 * value)}%`, prompt: words.readCurves,
    read: (i) => words.sideRead(cut(xs)[i], percent(cut(curves.best)[i]), percent(cut(curves.other)[i])),
  }, Math.max(270, Math.min(820, width - 26)));
}
