// Pool games: the solved tables, the moves of a roll ranked as `gametheory moves` ranks them, and what the page says.
//
// A position is {left, banked, target, rolls}: the target, what is to be beaten, is null for the player who goes first, and
// so is how many rolls may still be made where nobody counts them.

import { decode } from "./data.js";
import { h, percent, points, wholeNumber } from "./dom.js";
import { Game, parts, within } from "./game.js";
import { higherFaces, order, ranked } from "./order.js";
import { explorePool } from "./pool_explore.js";
import { words } from "./words.js";

const add = (numbers) => numbers.reduce((sum, n) => sum + n, 0);

export class Pool extends Game {
  constructor(data) {
    super(data);
    const { counts, higher, tie, tieWorth, explore, limit } = data;
    Object.assign(this, { counts, higher, tieWorth, pictures: explore, lower: !higher, atLeast: data.least, limit });
    this.about = `${data.about} ${words.ties[tie] ?? words.tieWorth(tie)}`;
    this.kinds = data.kinds.map(({ name, points: worth }) => ({ name, sides: worth.length, points: worth }));
    const sign = higher ? 1 : -1;
    this.orders = this.kinds.map(({ sides, points: worth }) =>
      Array.from({ length: sides }, (_, i) => i + 1).sort((a, b) => sign * (worth[b - 1] - worth[a - 1]) || b - a));
    this.start = { left: counts, banked: 0, target: null, rolls: limit };
    this.ways = [{ id: "keep", label: words.kept }];
    this.asked = ["seat", "target", "banked", ...(limit === null ? [] : ["rolls"])];
    this.exploring = { against: "first", measure: "often" };
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
      for (let rolls = 0; rolls <= (limit ?? 0); rolls++) {
        this.firstStart.push(first - this.lowest(aside));
        this.secondStart.push(second - this.lowest(left));
        first += this.highest(aside) - this.lowest(aside) + 1;
        second += this.highest(left) - this.lowest(left) + 1;
      }
    }
  }

  /** Every multiset of dice that can be left, in counting order. */
  pools() {
    return this.counts.reduce(
      (found, count) => found.flatMap((left) => Array.from({ length: count + 1 }, (_, n) => [...left, n])), [[]]);
  }

  /** Where dice left, with so many rolls that may still be made, stand in the tables; all that is finished is the first. */
  index(left, rolls) {
    const pool = left.reduce((index, n, kind) => index * (this.counts[kind] + 1) + n, 0);
    return this.limit === null || !pool ? pool : pool * (this.limit + 1) + rolls;
  }

  /** How many dice must be kept of a roll of these. */
  fewest(left, rolls) {
    return rolls === 1 ? add(left) : Math.min(this.atLeast, add(left));
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
  expectedScore(left, banked, rolls) {
    return banked + this.expectedTable[this.index(left, rolls)];
  }

  /** The first player's chance to win. */
  firstChance(left, banked, rolls) {
    return this.firstTable[this.firstStart[this.index(left, rolls)] + banked];
  }

  /** The second player's chance to win against a target. */
  secondChance(target, left, banked, rolls) {
    const needed = target - banked;
    const low = this.lowest(left);
    if (needed < low || needed > this.highest(left)) return (needed < low) === this.higher ? 1 : 0;
    return this.secondTable[this.secondStart[this.index(left, rolls)] + needed];
  }

  // The game

  /** The chance to win of the player to move: with a target the second player's, without the first's. */
  chance({ left, banked, target, rolls }) {
    return target === null ? this.firstChance(left, banked, rolls) : this.secondChance(target, left, banked, rolls);
  }

  /** What keeping some dice leads to. */
  move(position, keep) {
    const gained = this.points(keep);
    const left = position.left.map((n, kind) => n - keep[kind].length);
    const banked = position.banked + gained;
    const rolls = this.limit === null ? null : add(left) && position.rolls - 1;
    return {
      keep, way: 0, points: gained, left, rolls, dice: add(left), kept: add(position.left) - add(left),
      score: this.expectedScore(left, banked, rolls), win: this.chance({ left, banked, target: position.target, rolls }),
    };
  }

  /** Whether as many dice are kept as must be. */
  enough({ left, rolls }, keep) {
    return add(keep.map((faces) => faces.length)) >= this.fewest(left, rolls);
  }

  /** What moves are ranked by to win, and for points. */
  worths() {
    const score = (move) => (this.higher ? move.score : -move.score);
    return [[(move) => move.win, score], [score]];
  }

  rank(position, roll) {
    const at = { ...position, left: roll.map((faces) => faces.length) };
    const found = keeps(roll).filter((keep) => this.enough(at, keep));
    return ranked(found.map((keep) => this.move(at, keep)), ...this.worths(), poolOrder);
  }

  /** The best two moves. More points never hurt, so that only keeps of the best faces of each kind are looked at. */
  best(position, roll) {
    const tops = roll.map((faces, kind) => {
      const worth = this.faceOrder(kind);
      const sorted = [...faces].sort((a, b) => worth.indexOf(a) - worth.indexOf(b));
      return Array.from({ length: faces.length + 1 }, (_, n) => sorted.slice(0, n).sort((a, b) => b - a));
    });
    const at = { ...position, left: roll.map((faces) => faces.length) };
    const found = tops.reduce((all, part) => all.flatMap((keep) => part.map((faces) => [...keep, faces])), [[]])
      .filter((keep) => this.enough(at, keep)).map((keep) => this.move(at, keep));
    const [win, score] = this.worths().map((worths) => order(found, worths, poolOrder)[0]);
    return { win, score };
  }

  faceOrder(kind) {
    return this.orders[kind];
  }

  /** The roll that a tray becomes if the other dice show the best faces that they may, or the worst. */
  filled(left, tray, toTheBest) {
    return left.map((n, kind) => {
      const known = tray.roll[kind];
      const face = this.possible(kind, tray).at(toTheBest ? 0 : -1);
      return [...known, ...Array(n - known.length).fill(face)].sort((a, b) => b - a);
    });
  }

  /**
   * What keeping some dice is worth does not hang on the others, and no move is worth more than when these show their best
   * faces: a keep of entered dice that is best then is best whatever they show. And if the best keep then is of others,
   * this is one way in which they may have fallen.
   */
  certain(position, tray) {
    const { win } = this.best(position, this.filled(position.left, tray, true));
    return win.keep.every((faces, kind) => within(faces, tray.roll[kind])) ? win : null;
  }

  range(position, tray) {
    return [false, true].map((toTheBest) => this.best(position, this.filled(position.left, tray, toTheBest)).win.win);
  }

  find(position, tray, keep) {
    return this.enough(position, keep) ? this.move(position, keep) : null;
  }

  after({ banked, target }, move) {
    const position = { left: move.left, banked: banked + move.points, target, rolls: move.rolls };
    if (move.dice) return { position, passes: false, result: null };
    if (target === null) return { position: { ...this.start, target: position.banked }, passes: true, result: null };
    return { position, passes: false, result: position.banked === target ? this.tieWorth : Number(this.beats(position.banked, target)) };
  }

  beats(score, other) {
    return this.higher ? score > other : score < other;
  }

  // In words

  /** Write a keep: dice ascending, faces descending, more than two alike as 6x3. */
  writeRoll(roll) {
    const groups = roll.map((faces, kind) => {
      const shown = [...new Set(faces)].map((face) => {
        const times = faces.filter((other) => other === face).length;
        return times > 2 ? `${face}x${times}` : Array(times).fill(face).join(",");
      });
      return faces.length ? `${this.kinds[kind].name}:${shown.join(",")}` : "";
    });
    return groups.filter(Boolean).join(" ") || words.nothing;
  }

  example(left) {
    return left.map((n, kind) => (n ? `${this.kinds[kind].name}:${n > 2 ? `6x${n}` : Array(n).fill(5).join(",")}` : ""))
      .filter(Boolean).join(" ");
  }

  afterwards(move) {
    return move.dice ? words.rollDice(this.writeDice(move.left)) : words.lastDice;
  }

  expectation(move) {
    return words.points(points(move.score));
  }

  refusal(keep) {
    return keep.some((faces) => faces.length) ? words.keepMore : words.keepNone;
  }

  told({ banked, target, rolls }) {
    const toCome = this.limit === null ? [] : [words.rollsToCome(rolls - 1)];
    return [target === null ? words.first : words.second(target), words.banked(banked), ...toCome];
  }

  standing(position) {
    return words.standing(h("strong", {}, percent(this.chance(position))),
      h("strong", {}, points(this.expectedScore(position.left, position.banked, position.rolls))));
  }

  why(position, best, other) {
    return position.target === null ? this.whyFirst(this.curves(position, best, other), other) : this.whySecond(position, best, other);
  }

  whySecond({ banked, target }, best, other) {
    const said = [best, other].map((move) => {
      const made = banked + move.points;
      const keep = this.writeRoll(move.keep);
      if (!move.dice) return words.whySettled(keep, made);
      const left = this.writeDice(move.left);
      return this.higher ? words.whySecond(keep, target + 1 - made, left) : words.whySecondAtMost(keep, target - 1 - made, left);
    });
    return capital(words.both(...said));
  }

  reply(target) {
    return this.secondChance(target, this.counts, 0, this.limit);
  }

  curves({ banked, target }, best, other) {
    if (target !== null) return null;
    const ends = [best, other].map((move) => [banked + move.points + this.lowest(move.left), banked + move.points + this.highest(move.left)]);
    const [low, high] = [Math.min(ends[0][0], ends[1][0]) - 1, Math.max(ends[0][1], ends[1][1]) + 1];
    const xs = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    const [mine, theirs] = [best, other].map((move) => xs.map((x) => this.secondChance(x, move.left, banked + move.points, move.rolls)));
    return { xs, best: mine, other: theirs, xLabel: words.sideSecond };
  }

  // Advise

  /** Who has a score to beat plays second. */
  given(parts) {
    return parts.target === undefined ? parts : { seat: "second", ...parts };
  }

  entry(before) {
    const rolls = this.limit === null ? {} : { rolls: String(this.limit - 1) };
    return { left: this.counts, note: "", seat: before?.seat ?? "first", target: "", banked: "0", ...rolls };
  }

  entryAt({ left, banked, target, rolls }) {
    return { ...this.entry(), ...(this.limit === null ? {} : { rolls: String(rolls - 1) }), left, banked: String(banked), seat: target === null ? "first" : "second", target: target === null ? "" : String(target) };
  }

  form(entry) {
    const second = entry.seat === "second";
    const target = second ? wholeNumber(entry.target) : null;
    const banked = wholeNumber(entry.banked);
    const problems = { target: "", banked: "" };
    if (second && target === null) {
      problems.target = entry.target.trim() ? words.noScore(entry.target.trim()) : words.sayTarget;
    }
    if (banked === null) problems.banked = words.noPoints(entry.banked.trim());
    else problems.banked = this.problemBanked(entry.left, banked);
    const rolls = this.limit === null ? null : wholeNumber(entry.rolls);
    if (this.limit !== null && entry.left.some(Boolean)) problems.rolls = this.problemRolls(entry.left, rolls);
    const right = Object.values(problems).every((problem) => !problem);
    const position = right ? { left: entry.left, banked, target, rolls: rolls === null ? null : rolls + 1 } : null;
    return {
      choices: [{ id: "seat", label: words.youPlay, options: Object.entries(words.seats) }],
      fields: [
        ...(second ? [{ id: "target", label: words.theyMade, problem: problems.target }] : []),
        { id: "banked", label: words.youBanked, problem: problems.banked },
        ...(this.limit === null ? [] : [{ id: "rolls", label: words.rollsLeft, problem: problems.rolls }]),
      ],
      steps: this.counts.map((most) => ({ least: 0, most })),
      position,
      card: entry.left.some(Boolean) ? null : this.finished(position),
    };
  }

  /** Say what is wrong with so many rolls that may follow this one, or nothing. */
  problemRolls(left, rolls) {
    const most = this.limit - 1;
    const [low, high] = add(this.aside(left)) ? [0, Math.max(most - 1, 0)] : [most, most];
    return rolls !== null && rolls >= low && rolls <= high ? "" : words.rollsBetween(low, high);
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
    if (!add(aside)) return words.nothingBanked(banked);
    return words.canMake(this.writeDice(aside), this.lowest(aside), this.highest(aside), banked);
  }

  /** The card when all dice are set aside. */
  finished(position) {
    const card = { title: words.allAside, id: "final", text: "" };
    if (!position) return card;
    const { banked, target } = position;
    if (target !== null) return { ...card, text: words.madeAgainst(banked, target, this.verdict(banked, target)) };
    return {
      ...card,
      text: words.madeFirst(banked, percent(this.reply(banked))),
      button: {
        id: "other-seat", label: words.adviseSecond(banked),
        entry: { ...this.entry(), seat: "second", target: String(banked) },
      },
    };
  }

  verdict(mine, theirs) {
    return mine === theirs ? words.tie : this.beats(mine, theirs) ? words.youWin : words.theyWin;
  }

  take(entry, move) {
    return {
      ...entry, ...(move.rolls ? { rolls: String(move.rolls - 1) } : {}), left: move.left,
      banked: String(wholeNumber(entry.banked) + move.points),
      note: words.keptFor(this.writeRoll(move.keep), move.points),
    };
  }

  // Train

  tell(mine, position, roll, move) {
    return mine ? null : [words.theyKeep(this.writeRoll(move.keep)), roll, words.andHave(position.banked + move.points)];
  }

  outcome({ banked, target }, mine) {
    const [own, theirs] = mine ? [banked, target] : [target, banked];
    return words.outcome(own, theirs, this.verdict(own, theirs));
  }

  record({ banked, target, rolls }, roll, move) {
    const toCome = this.limit === null ? "" : ` | rolls_left=${rolls - 1}`;
    const against = target === null ? "" : ` | target=${target}`;
    return `banked=${banked}${toCome}${against} | ${this.writeRoll(roll)} | ${this.writeRoll(move.keep)}`;
  }

  // Explore

  explore(chosen, width, change) {
    return explorePool(this, chosen, width, change);
  }
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** Every distinct part of a roll that is not empty. */
function keeps(roll) {
  const all = roll.map(parts).reduce((found, part) => found.flatMap((keep) => part.map((faces) => [...keep, faces])), [[]]);
  return all.filter((keep) => keep.some((faces) => faces.length));
}

/** Between moves of equal worth: fewer dice kept, then more of the smallest die, then of the next, then higher faces. */
function poolOrder(a, b) {
  let found = a.kept - b.kept;
  for (let kind = 0; !found && kind < a.keep.length; kind++) found = b.keep[kind].length - a.keep[kind].length;
  for (let kind = 0; !found && kind < a.keep.length; kind++) found = higherFaces(a.keep[kind], b.keep[kind]);
  return found;
}
