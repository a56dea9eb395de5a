// The one order of moves, as Python has it: by what they are worth, and what counts as equal by the next key.

import { TIED } from "./data.js";

/**
 * Sort by one key after the other, highest first. What is within TIED of the best of its run counts as equal there, and
 * is ordered by the next key; in the end by `preferred`, a comparison.
 */
export function order(moves, keys, preferred) {
  if (!keys.length || moves.length < 2) return [...moves].sort(preferred);
  const [worth, ...rest] = keys;
  const sorted = [...moves].sort((a, b) => worth(b) - worth(a));
  const found = [];
  for (let from = 0, to; from < sorted.length; from = to) {
    const best = worth(sorted[from]);
    to = from + 1;
    while (to < sorted.length && best - worth(sorted[to]) <= TIED) to++;
    found.push(...order(sorted.slice(from, to), rest, preferred));
  }
  return found;
}

/** The first of that order, found without sorting; of those equal to the last, the first that was given. */
export function best(moves, keys) {
  return keys.reduce((left, worth) => {
    let most = -Infinity;
    for (const move of left) most = Math.max(most, worth(move));
    return left.filter((move) => most - worth(move) <= TIED);
  }, moves)[0];
}

/** Rank the moves of a roll: best to win first, then those with more points; and where the best for points stands. */
export function ranked(found, byWin, byScore, preferred) {
  const moves = order(found, byWin, preferred);
  return { moves, bestForWin: 0, bestForScore: moves.indexOf(order(found, byScore, preferred)[0]) };
}

/** Compare two lists of faces: the higher face first. */
export function higherFaces(a, b) {
  const place = a.findIndex((face, i) => face !== b[i]);
  return place < 0 ? 0 : b[place] - a[place];
}
