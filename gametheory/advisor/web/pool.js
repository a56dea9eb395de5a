// Pool games: the solved tables, and the moves of a roll ranked as `gametheory moves` ranks them.
//
// A roll, or a keep, has one entry for each kind of dice: the faces shown, descending. `left` is how many dice of each
// kind are left to roll.

export const TIED = 1e-10;

/** Read the numbers that the page carries as text. */
export function decode(text) {
  return new Float64Array(bytes(text));
}

/** The same for numbers of single precision, which are only drawn. */
export function decodeSingle(text) {
  return new Float32Array(bytes(text));
}

function bytes(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
}

const add = (numbers) => numbers.reduce((sum, n) => sum + n, 0);

export class Pool {
  constructor(data) {
    Object.assign(this, data);
    this.family = "pool";
    this.sides = data.kinds.map((kind) => kind.points.length);
    this.least = data.kinds.map((kind) => Math.min(...kind.points));
    this.most = data.kinds.map((kind) => Math.max(...kind.points));
    this.expectedTable = decode(data.expected);
    this.firstTable = decode(data.first);
    this.secondTable = decode(data.second);
    // Rows have as many entries as the dice set aside, or left, can make scores: where each begins.
    this.firstStart = [];
    this.secondStart = [];
    let first = 0;
    let second = 0;
    for (const left of this.pools()) {
      const aside = this.aside(left);
      this.firstStart.push(first - this.lowest(aside));
      this.secondStart.push(second - this.lowest(left));
      first += this.highest(aside) - this.lowest(aside) + 1;
      second += this.highest(left) - this.lowest(left) + 1;
    }
  }

  get start() {
    return this.counts.slice();
  }

  /** Every multiset of dice that can be left, in counting order. */
  pools() {
    return this.counts.reduce(
      (found, count) => found.flatMap((left) => Array.from({ length: count + 1 }, (_, n) => [...left, n])), [[]]);
  }

  index(left) {
    return left.reduce((index, n, kind) => index * (this.counts[kind] + 1) + n, 0);
  }

  aside(left) {
    return this.counts.map((count, kind) => count - left[kind]);
  }

  lowest(counts) {
    return add(counts.map((n, kind) => n * this.least[kind]));
  }

  highest(counts) {
    return add(counts.map((n, kind) => n * this.most[kind]));
  }

  points(keep) {
    return add(keep.map((faces, kind) => add(faces.map((face) => this.kinds[kind].points[face - 1]))));
  }

  /** The expected final score, playing for points. */
  expectedScore(left, banked) {
    return banked + this.expectedTable[this.index(left)];
  }

  /** The first player's chance to win. */
  firstChance(left, banked) {
    return this.firstTable[this.firstStart[this.index(left)] + banked];
  }

  /** The second player's chance to win against a target. */
  secondChance(target, left, banked) {
    const needed = target - banked;
    const low = this.lowest(left);
    if (needed < low || needed > this.highest(left)) return (needed < low) === this.higher ? 1 : 0;
    return this.secondTable[this.secondStart[this.index(left)] + needed];
  }

  /** The chance to win of the player to move: with a target the second player's, without the first's. */
  chance(left, banked, target) {
    return target === null ? this.firstChance(left, banked) : this.secondChance(target, left, banked);
  }

  /** Say what is wrong with points banked while these dice are left, or nothing. */
  problemBanked(left, banked) {
    const aside = this.aside(left);
    let made = 1n;
    aside.forEach((n, kind) => {
      for (let die = 0; die < n; die++) {
        made = this.kinds[kind].points.reduce((bits, p) => bits | (made << BigInt(p - this.least[kind])), 0n);
      }
    });
    const over = banked - this.lowest(aside);
    if (over >= 0 && (made >> BigInt(over)) & 1n) return "";
    if (!add(aside)) return `With all dice left nothing is banked yet: 0, not ${banked}.`;
    return `${this.writeDice(aside)} set aside can make ${this.lowest(aside)} to ${this.highest(aside)} points, not ${banked}.`;
  }

  writeDice(counts) {
    const terms = counts.map((n, kind) => (n ? `${n > 1 ? n : ""}${this.kinds[kind].name}` : "")).filter(Boolean);
    return terms.join("+") || "none";
  }

  /** Write a keep: dice ascending, faces descending, more than two alike as 6x3. */
  writeRoll(roll) {
    const groups = roll.map((faces, kind) => {
      const shown = [...new Set(faces)].map((face) => {
        const times = faces.filter((other) => other === face).length;
        return times > 2 ? `${face}x${times}` : Array(times).fill(face).join(",");
      });
      return faces.length ? `${this.kinds[kind].name}:${shown.join(",")}` : "";
    });
    return groups.filter(Boolean).join(" ") || "nothing";
  }

  /** Every distinct move of a roll, best first, and the places of the best to win and the best for points. */
  rank(roll, banked, target) {
    const left = roll.map((faces) => faces.length);
    const moves = keeps(roll).map((keep) => {
      const gained = this.points(keep);
      const rest = left.map((n, kind) => n - keep[kind].length);
      return {
        keep, points: gained, left: rest, dice: add(rest), kept: add(left) - add(rest),
        score: this.expectedScore(rest, banked + gained),
        win: this.chance(rest, banked + gained, target),
      };
    });
    const sign = this.higher ? 1 : -1;
    const byScore = byWorth(moves.sort(preferred), (move) => sign * move.score);
    const byWin = byWorth(byScore, (move) => move.win);
    return { moves: byWin, bestForWin: 0, bestForScore: byWin.indexOf(byScore[0]) };
  }
}

/** Every distinct part of a roll that is not empty. */
export function keeps(roll) {
  const parts = roll.map((faces) => {
    let found = [[]];
    for (const face of new Set(faces)) {
      const times = faces.filter((other) => other === face).length;
      found = found.flatMap((kept) => Array.from({ length: times + 1 }, (_, n) => [...kept, ...Array(n).fill(face)]));
    }
    return found;
  });
  const all = parts.reduce((found, part) => found.flatMap((keep) => part.map((faces) => [...keep, faces])), [[]]);
  return all.filter((keep) => keep.some((faces) => faces.length));
}

/** Between moves of equal worth: fewer dice kept, then more of the smallest die, then of the next, then higher faces. */
function preferred(a, b) {
  let order = a.kept - b.kept;
  for (let kind = 0; !order && kind < a.keep.length; kind++) order = b.keep[kind].length - a.keep[kind].length;
  for (let kind = 0; !order && kind < a.keep.length; kind++) {
    for (let die = 0; !order && die < a.keep[kind].length; die++) order = b.keep[kind][die] - a.keep[kind][die];
  }
  return order;
}

/** Sort by worth, highest first; moves within TIED of the first of their run keep the order they came in. */
function byWorth(moves, worth) {
  const places = new Map(moves.map((move, place) => [move, place]));
  const sorted = [...moves].sort((a, b) => worth(b) - worth(a) || places.get(a) - places.get(b));
  const runs = [];
  for (const move of sorted) {
    const run = runs.at(-1);
    if (run && worth(run[0]) - worth(move) <= TIED) run.push(move);
    else runs.push([move]);
  }
  return runs.flatMap((run) => run.sort((a, b) => places.get(a) - places.get(b)));
}
