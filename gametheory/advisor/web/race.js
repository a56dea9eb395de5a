// Races: the solved matches, one turn worked out from them, and the moves of a roll ranked as `gametheory moves` does.
//
// A standing is a score and whether the player has opened. A roll is one list of faces, descending. Turn totals are
// counted in units, the greatest common divisor of all points.

import { decode, TIED } from "./pool.js";

export class Race {
  constructor(data) {
    Object.assign(this, data);
    this.family = "race";
    this.kinds = [{ name: `d${data.sides}` }];
    this.size = data.scores.length;
    this.values = decode(data.values);
    this.expectedTable = decode(data.expected);
    this.rows = this.expectedTable.length / (2 * (data.dice + 1));
    this.memory = new Map();
  }

  /** Where a score stands in the tables; whoever has banked points has opened. */
  standing(score) {
    return this.scores.findIndex((s, i) => s === score && (this.opened[i] === 1) === (score > 0 || !this.opening));
  }

  /** Say what is wrong with a player's score, or nothing. */
  problemScore(score) {
    if (score < 0) return "Nobody has less than 0.";
    if (score >= this.goal) return `The race ends at ${this.goal}: give a lower score.`;
    if (score % this.unit) return `Scores go in steps of ${this.unit}: ${score} cannot occur.`;
    if (score && score < this.opening) return `The first points banked are at least ${this.opening}: 0, ${this.opening} or more.`;
    return "";
  }

  /** The chance to win of the player to move, before the first throw of a turn. */
  match(score, opponent) {
    return this.values[this.standing(score) * this.size + this.standing(opponent)];
  }

  /** What kept dice are worth, split in the best way; null unless every one of them scores. */
  keepPoints(counts) {
    if (!counts.some(Boolean)) return 0;
    const key = counts.join();
    if (!this.memory.has(key)) {
      const lowest = counts.findIndex(Boolean);
      let best = null;
      for (const [used, worth] of this.combinations) {
        if (!used[lowest] || used.some((n, face) => n > counts[face])) continue;
        const others = this.keepPoints(counts.map((n, face) => n - used[face]));
        if (others !== null) best = Math.max(best ?? 0, worth + others);
      }
      this.memory.set(key, best);
    }
    return this.memory.get(key);
  }

  /** Every distinct keep of a roll that scores; none is a bust. */
  keeps(roll) {
    if (roll.some((face) => this.bustFaces.includes(face))) return [];
    let found = [[]];
    for (const face of new Set(roll)) {
      const times = roll.filter((other) => other === face).length;
      found = found.flatMap((kept) => Array.from({ length: times + 1 }, (_, n) => [...kept, ...Array(n).fill(face)]));
    }
    return found.flatMap((keep) => {
      const gained = this.keepPoints(this.count(keep));
      if (!gained) return [];
      const rest = roll.length - keep.length;
      return [{ keep, points: gained, dice: rest || (this.hotDice ? this.dice : 0) }];
    });
  }

  count(faces) {
    const counts = Array(this.sides).fill(0);
    for (const face of faces) counts[face - 1]++;
    return counts;
  }

  /** Work out one turn: the chances to win by turn total (in units) and dice, if thrown and if banked. */
  turn(score, opponent) {
    const me = this.standing(score);
    const them = this.standing(opponent);
    if (this.lastTurn?.me === me && this.lastTurn?.them === them) return this.lastTurn;
    const goal = Math.ceil(this.goal / this.unit);
    const opening = Math.ceil(this.opening / this.unit);
    const unopened = this.opened.filter((open) => !open).length;
    const scored = score / this.unit;
    const least = this.opened[me] ? 1 : Math.max(opening, 1);
    const need = Math.max(goal - scored, least);
    const after = unopened + scored - opening;
    const lose = 1 - this.values[them * this.size + me];
    const bank = (total) => {
      if (total >= need) return 1;
      return total < least ? -Infinity : 1 - this.values[them * this.size + after + total];
    };
    const width = this.dice + 1;
    const thrown = new Float64Array(need * width);
    const best = new Float64Array(need * width);
    const worth = (total, dice) => (total >= need ? 1 : best[total * width + dice]);
    for (let total = need - 1; total >= 0; total--) {
      const banked = bank(total);
      for (let dice = 1; dice <= this.dice; dice++) {
        let sum = this.bust[dice] * lose;
        for (const [chance, options] of this.classes[dice]) {
          let most = -Infinity;
          for (const [gained, left] of options) most = Math.max(most, worth(total + gained, left));
          sum += chance * most;
        }
        thrown[total * width + dice] = sum;
        best[total * width + dice] = Math.max(sum, banked);
      }
      best[total * width] = banked > -Infinity ? banked : lose;
    }
    const rolled = (total, dice) =>
      total < need ? thrown[total * width + dice] : this.bust[dice] * lose + (1 - this.bust[dice]);
    this.lastTurn = { me, them, need, lose, bank, rolled, open: this.opened[me] };
    return this.lastTurn;
  }

  /** The expected total of the whole turn if so many dice are thrown at a turn total (in units). */
  expectedTurn(open, total, dice) {
    const at = (opened, row) => this.expectedTable[(opened * this.rows + row) * (this.dice + 1) + dice];
    if (total < this.rows) return at(open, total);
    const last = this.rows - 1;
    return at(1, last) + (at(1, last) - at(1, last - 1)) * (total - last);
  }

  /** What banking or throwing on is worth to a player who plays for points: he banks what wins, else wants the most points. */
  worthForPoints(chances, total, dice, bank) {
    if (bank) return total >= chances.need ? Infinity : total * this.unit;
    return this.expectedTurn(chances.open, total, dice);
  }

  /** Every move of a roll, best first, and the places of the best to win and the best for points. */
  rank(roll, turn, score, opponent) {
    const chances = this.turn(score, opponent);
    const found = [];
    for (const { keep, points, dice } of this.keeps(roll)) {
      const total = (turn + points) / this.unit;
      const banked = chances.bank(total);
      const mayBank = banked > -Infinity;
      if (mayBank || dice === 0) {
        const win = mayBank ? banked : chances.lose;
        found.push({ keep: [keep], points, dice, bank: true, score: mayBank ? turn + points : 0, win });
      }
      if (dice) {
        const expected = this.expectedTurn(chances.open, total, dice);
        found.push({ keep: [keep], points, dice, bank: false, score: expected, win: chances.rolled(total, dice) });
      }
    }
    const moves = sortTied(found, [[(move) => move.win, TIED], [(move) => move.score, TIED]]);
    const wins = (move) => Number(move.bank && (turn + move.points) / this.unit >= chances.need);
    const byScore = sortTied(found, [[wins, 0], [(move) => move.score, TIED]]);
    return { moves, bestForWin: 0, bestForScore: moves.indexOf(byScore[0]) };
  }

  /** The chance of every total that a turn makes, by units; 0 is a bust. Both ways to play bank what wins. */
  turnScores(score, opponent, toWin) {
    const chances = this.turn(score, opponent);
    const { need, open } = chances;
    const width = this.dice + 1;
    const most = need + Math.max(...this.classes.flat().flatMap(([, options]) => options.map(([gained]) => gained)));
    const ends = new Float64Array(most + 1);
    const here = new Float64Array((most + 1) * width);
    const worths = (total, dice, bank) => {
      const win = bank ? chances.bank(total) : chances.rolled(total, dice);
      const points = bank ? total * this.unit : this.expectedTurn(open, total, dice);
      return toWin ? [win, points] : [this.worthForPoints(chances, total, dice, bank), points];
    };
    /** The better of two ways on, the first where they are equal. */
    const better = (a, b) => {
      if (Math.abs(a.worth[0] - b.worth[0]) > TIED) return a.worth[0] > b.worth[0] ? a : b;
      return b.worth[1] - a.worth[1] > TIED ? b : a;
    };
    here[this.dice] = 1;
    for (let total = 0; total < most; total++) {
      for (let dice = 1; dice <= this.dice; dice++) {
        const mass = here[total * width + dice];
        if (!mass) continue;
        ends[0] += mass * this.bust[dice];
        for (const [chance, options] of this.classes[dice]) {
          const ways = options.flatMap(([gained, left]) => {
            const after = total + gained;
            const mayBank = chances.bank(after) > -Infinity;
            const found = [];
            if (mayBank || !left) {
              const worth = mayBank ? worths(after, left, true) : [toWin ? chances.lose : 0, 0];
              found.push({ after: mayBank ? after : 0, left: 0, bank: true, worth });
            }
            if (left) found.push({ after, left, bank: false, worth: worths(after, left, false) });
            return found;
          });
          const taken = ways.reduce(better);
          if (taken.bank || taken.after >= most) ends[Math.min(taken.after, most)] += mass * chance;
          else here[taken.after * width + taken.left] += mass * chance;
        }
      }
    }
    return Array.from(ends);
  }

  writeDice(counts) {
    return counts[0] ? `${counts[0] > 1 ? counts[0] : ""}${this.kinds[0].name}` : "none";
  }

  writeRoll(roll) {
    return roll[0].join(" ") || "nothing";
  }
}

/** Sort by one key after the other, highest first, what is within its tolerance of the first counting as equal. */
function sortTied(moves, keys) {
  if (!keys.length) {
    return [...moves].sort((a, b) => {
      let order = a.keep[0].length - b.keep[0].length;
      for (let die = 0; !order && die < a.keep[0].length; die++) order = b.keep[0][die] - a.keep[0][die];
      return order || b.bank - a.bank;
    });
  }
  const [[worth, tied], ...rest] = keys;
  const sorted = [...moves].sort((a, b) => worth(b) - worth(a));
  const found = [];
  while (sorted.length) {
    const best = worth(sorted[0]);
    let count = sorted.findIndex((move) => worth(move) < best - tied);
    if (count < 0) count = sorted.length;
    found.push(...sortTied(sorted.splice(0, count), rest));
  }
  return found;
}
