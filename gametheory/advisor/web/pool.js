// Pool games: the solved tables, the moves of a roll ranked as `gametheory moves` ranks them, and what the page says.
//
// A position is {left, banked, target}: the target, what is to be beaten, is null for the player who goes first.

import { decode } from "./data.js";
import { difference, h, percent, plural, points, wholeNumber } from "./dom.js";
import { Game, parts } from "./game.js";
import { higherFaces, ranked } from "./order.js";
import { explorePool } from "./pool_explore.js";

const add = (numbers) => numbers.reduce((sum, n) => sum + n, 0);

export class Pool extends Game {
  constructor(data) {
    super(data);
    const { counts, higher, tie, tieWorth, explore } = data;
    Object.assign(this, { counts, higher, tieWorth, pictures: explore });
    this.about = `${data.about} ${tieRule(tie)}`;
    this.kinds = data.kinds.map(({ name, points: worth }) => ({ name, sides: worth.length, points: worth }));
    this.start = { left: counts, banked: 0, target: null };
    this.ways = [{ id: "keep", label: "", how: "" }];
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
      this.firstStart.push(first - this.lowest(aside));
      this.secondStart.push(second - this.lowest(left));
      first += this.highest(aside) - this.lowest(aside) + 1;
      second += this.highest(left) - this.lowest(left) + 1;
    }
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

  // The game

  /** The chance to win of the player to move: with a target the second player's, without the first's. */
  chance({ left, banked, target }) {
    return target === null ? this.firstChance(left, banked) : this.secondChance(target, left, banked);
  }

  rank(position, roll) {
    const left = roll.map((faces) => faces.length);
    const found = keeps(roll).map((keep) => {
      const gained = this.points(keep);
      const rest = left.map((n, kind) => n - keep[kind].length);
      const banked = position.banked + gained;
      return {
        keep, way: 0, points: gained, left: rest, dice: add(rest), kept: add(left) - add(rest),
        score: this.expectedScore(rest, banked),
        win: this.chance({ left: rest, banked, target: position.target }),
      };
    });
    const score = (move) => (this.higher ? move.score : -move.score);
    return ranked(found, [(move) => move.win, score], [score], poolOrder);
  }

  after({ banked, target }, move) {
    const position = { left: move.left, banked: banked + move.points, target };
    if (move.dice) return { position, passes: false, result: null };
    if (target === null) return { position: { ...this.start, target: position.banked }, passes: true, result: null };
    return { position, passes: false, result: position.banked === target ? this.tieWorth : Number(this.beats(position.banked, target)) };
  }

  beats(score, other) {
    return this.higher ? score > other : score < other;
  }

  // Dice and moves in words

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

  example(left) {
    return left.map((n, kind) => (n ? `${this.kinds[kind].name}:${n > 2 ? `6x${n}` : Array(n).fill(5).join(",")}` : ""))
      .filter(Boolean).join(" ");
  }

  faceNote(kind, face) {
    const worth = this.kinds[kind].points[face - 1];
    return worth === face ? "" : `, worth ${worth}`;
  }

  afterwards(move) {
    return move.dice ? `roll ${this.writeDice(move.left)}` : "the last dice";
  }

  expectation(move) {
    return `${points(move.score)} points`;
  }

  // Advise

  entry(before) {
    return { left: this.counts, note: "", seat: before?.seat ?? "first", target: "", banked: "0" };
  }

  form(entry) {
    const second = entry.seat === "second";
    const target = second ? wholeNumber(entry.target) : null;
    const banked = wholeNumber(entry.banked);
    const problems = { target: "", banked: "" };
    if (second && target === null) {
      problems.target = entry.target.trim() ? `“${entry.target.trim()}” is no score: give a whole number.` : "Say what they made.";
    }
    if (banked === null) problems.banked = `“${entry.banked.trim()}” is no number of points: give a whole number, such as 0.`;
    else problems.banked = this.problemBanked(entry.left, banked);
    const right = !problems.target && !problems.banked;
    const position = right ? { left: entry.left, banked, target } : null;
    return {
      choices: [{ id: "seat", label: "You play", options: [["first", "first"], ["second", "second"]] }],
      fields: [
        ...(second ? [{ id: "target", label: "They made", problem: problems.target }] : []),
        { id: "banked", label: "You have banked", problem: problems.banked },
      ],
      steps: this.counts.map((most) => ({ least: 0, most })),
      position,
      card: entry.left.some(Boolean) ? null : this.finished(position),
    };
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

  /** The card when all dice are set aside. */
  finished(position) {
    const card = { title: "All dice are set aside", id: "final", text: "" };
    if (!position) return card;
    const { banked, target } = position;
    if (target !== null) return { ...card, text: `You made ${banked} against ${target}: ${this.verdict(banked, target)}.` };
    const chance = percent(this.secondChance(banked, this.counts, 0));
    return {
      ...card,
      text: `You made ${banked}. The second player beats that with a chance of ${chance}.`,
      button: {
        id: "other-seat", label: `Advise the second player against ${banked}`,
        entry: { ...this.entry(), seat: "second", target: String(banked) },
      },
    };
  }

  verdict(mine, theirs) {
    return mine === theirs ? "a tie" : this.beats(mine, theirs) ? "you win" : "they win";
  }

  standing(position) {
    return ["Before this roll you win ", h("strong", {}, percent(this.chance(position))), " and expect ",
      h("strong", {}, points(this.expectedScore(position.left, position.banked))), " points."];
  }

  why({ banked, target }, ranking) {
    const win = ranking.moves[ranking.bestForWin];
    const score = ranking.moves[ranking.bestForScore];
    const cost = Math.abs(win.score - score.score);
    const price = cost < 0.05 ? "costs next to no points" : `costs ${cost.toFixed(1)} points on average`;
    const why = target === null ? whyFirst(this, win, score) : whySecond(this, win, score, banked + win.points, target);
    return `${why}. It ${price} and wins ${difference(win.win - score.win)} more often.`;
  }

  take(entry, move) {
    return {
      ...entry, left: move.left, banked: String(wholeNumber(entry.banked) + move.points),
      note: `Kept ${this.writeRoll(move.keep)} for ${plural(move.points, "point")}.`,
    };
  }

  // Train

  told({ banked, target }) {
    return [`${banked} banked`, target === null ? "they play after you" : `they made ${target}`];
  }

  tell(mine, position, roll, move) {
    return mine ? null : [`They keep ${this.writeRoll(move.keep)} of`, roll, `and have ${position.banked + move.points}`];
  }

  outcome({ banked, target }, mine) {
    const [own, theirs] = mine ? [banked, target] : [target, banked];
    return `You made ${own}, they made ${theirs}: ${this.verdict(own, theirs)}.`;
  }

  // Explore

  explore(chosen, width, change) {
    return explorePool(this, chosen, width, change);
  }
}

function tieRule(tie) {
  if (tie === "split") return "A tie counts half.";
  return { first: "The first player wins ties.", second: "The second player wins ties.", replay: "A tie is played again." }[tie]
    ?? `A tie is worth ${tie} to the second player.`;
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

function whyFirst(game, win, score) {
  const made = Math.round(win.score);
  const act = win.dice > score.dice ? "roll more dice" : win.dice < score.dice ? "take the sure points" : "these dice lead further";
  return `A good reply to ${made} wins ${percent(game.secondChance(made, game.counts, 0))}: ${act}`;
}

function whySecond(game, win, score, banked, target) {
  if (!win.dice) return `Stop here with ${banked} against ${target}`;
  const act = win.dice > score.dice ? "go for it" : win.dice < score.dice ? "take the sure points" : "these dice get there more often";
  const last = win.dice === 1 ? "the last die" : `${win.dice} dice`;
  const needed = game.higher ? target + 1 - banked : target - 1 - banked;
  const tieOnly = game.higher ? needed > game.highest(win.left) : needed < game.lowest(win.left);
  if (tieOnly) return `A tie with ${target} is the most you can reach: ${act}`;
  if (!game.higher) return `To win, ${last} may make ${needed} at most: ${act}`;
  return needed > 0 ? `You need ${needed} more from ${last}: ${act}` : `You are past ${target} already: ${act}`;
}
