// A game as the page knows it. Each family of games is one class, named in families.js; the views ask a game for these
// members and for nothing else, and never which game it is.
//
// A roll, or a keep, has one list for each kind of dice: the faces shown, descending. A tray is a roll that is being
// entered: {roll, settled}, where `settled[kind]` says of how many faces, the best first, all dice are known. A position is
// a plain object, seen by the player to move; an entry is the same as it stands in the form of Advise, with what was typed
// as it was typed. Both are of the game's own making, but both say in `left` what is to be thrown, and an entry says in
// `note` what was done last. A game that is not played with dice of its own (`listed`) makes rolls and trays of its own.
//
// The game
//     name, about, version    what it is called; its rules in a sentence or two; what made the page
//     kinds                   its dice, each with name and sides
//     start                   the position before the first roll
//     chance(position)        the chance to win of the player to move, before the roll
//     rank(position, roll)    {moves, bestForWin, bestForScore}: every distinct move, best first, and the places of the
//                             best two; no moves are a bust. A move has keep, win (the chance), score (what is
//                             expected) and way (a place in `ways`); the rest of it is the game's own
//     best(position, roll)    {win, score}: the best two of these moves, null for a bust
//     after(position, move)   {position, passes, result}: what becomes of a position after a move, or after a bust where
//                             the move is null; whether the other player is to move now; and what the game brought the
//                             player who moved, null until it is over
//     throw(position, stream) a roll by chance
//
// Entering a roll
//     emptyTray(), trayOf(roll), rollOf(tray), entered(tray), complete(left, tray), missing(left, tray), writeTray(tray)
//     ask(left, tray)         {text, keys: [{label, said, tray, hold}]}: what is asked next, and what each answer makes
//     padSize                 how many keys there are at most
//     tableDice(left, tray)   the dice of a tray, {kind, face}, face null for those not entered yet
//     remove(tray, die)       the tray without one
//     readRoll(text, left)    {tray, problem}: what was typed, or what is wrong with it
//     readKeep(text, left, tray)  {keep, problem}
//     example(left)           a roll as one may type it
//     certain(position, tray) the move that is best to win however the dice not entered may have fallen, or null
//     prepare(position)       work out what will be asked of a position, while nobody waits
//     range(position, tray)   between what the chance to win must then lie, or null where that is not known at once
//     find(position, tray, keep, way)  the move of these dice, or null
//
// In words
//     writeDice(left), writeRoll(roll)
//     afterwards(move), expectation(move), how(move)
//     ways                    what may be done with the dice kept: {id, label}
//     noKeep()                a keep of nothing
//     refusal(keep, other)    why there is no such move; `other` says that the dice may be kept in another way
//     worth(keep)             what chosen dice count, where that is not plain to see
//     scoring()               what scores, where the rules say that by a list: [dice, points]
//     told(position)          where a player stands, in a few short texts
//     standing(position)      what there is to say before the roll
//     why(position, best, other)     one sentence from true figures why a move is worse than the best, or nothing
//     curves(position, best, other)  the chances to beat each score after either, {xs, best, other, xLabel}, or null
//     lower                   whether the lower score wins
//
// Advise
//     asked                   the parts of an entry that an address holds, in the order in which bare values name them
//     given(parts)            the parts of an address with what they imply
//     entry(before)           a new entry, after another one if there was one
//     form(entry)             {choices, fields, steps, position, card}: choices {id, label, options}, fields {id, label,
//                             problem, hint}, steps {least, most} for the dice left of each kind (none to hide them),
//                             the position unless a field is wrong, and a card that takes the place of the roll, or null:
//                             {title, id, text, fields, end, button: {id, label, disabled, entry}}
//     entryAt(position)       the entry that shows a position
//     take(entry, move)       the entry after a move
//     bust(entry)             the card after a roll without moves
//
// Train
//     tell(mine, position, roll, move)  a line of the story [before, roll, after], or null; the move is null for a bust
//     outcome(position, mine) how it ended, `mine` where I made the last move
//     record(position, roll, move)      a decision as a line of text, as `gametheory review` reads it
//
// Explore
//     exploring               what is chosen at first: a plain object
//     explore(chosen, width, change)  the pictures; change({...}) chooses other things

import { percent } from "./dom.js";
import { words } from "./words.js";

const MOST_TRIED = 20;
const descending = (a, b) => b - a;

export class Game {
  constructor(data) {
    Object.assign(this, { name: data.name, about: data.about, version: data.version, tie: data.tie, format: data.match, lower: false, listed: false });
  }

  /** How many dice, or keys, there can be at most. */
  get padSize() {
    return Math.max(...this.kinds.map(({ sides }, kind) => (this.counted(kind, this.start.left) ? this.start.left[kind] + 1 : sides)));
  }

  // Entering a roll

  emptyTray() {
    return { roll: this.kinds.map(() => []), settled: this.kinds.map(() => 0) };
  }

  trayOf(roll) {
    return { ...this.emptyTray(), roll };
  }

  rollOf(tray) {
    return tray.roll;
  }

  noKeep() {
    return this.kinds.map(() => []);
  }

  writeTray(tray) {
    return this.writeRoll(tray.roll);
  }

  missing(left, tray) {
    return this.writeDice(left.map((n, kind) => n - tray.roll[kind].length));
  }

  entered(tray) {
    return tray.roll.some((faces) => faces.length) || tray.settled.some(Boolean);
  }

  complete(left, tray) {
    return left.every((n, kind) => n === tray.roll[kind].length);
  }

  /** The faces of a kind, the best first. */
  faceOrder(kind) {
    return Array.from({ length: this.kinds[kind].sides }, (_, i) => this.kinds[kind].sides - i);
  }

  /** Whether so many dice of a kind are entered by how many show each face, the best face first. */
  counted(kind, left) {
    return left[kind] > 1 && left[kind] >= this.kinds[kind].sides - 1;
  }

  ask(left, tray) {
    const kind = left.findLastIndex((n, k) => n > tray.roll[k].length);
    if (kind < 0) return null;
    const { name, sides } = this.kinds[kind];
    const faces = tray.roll[kind];
    const next = (roll, settled) => ({
      roll: tray.roll.map((old, k) => (k === kind ? roll.sort(descending) : old)),
      settled: tray.settled.map((old, k) => (k === kind ? settled : old)),
    });
    if (!this.counted(kind, left)) {
      const keys = Array.from({ length: sides }, (_, i) => i + 1).map((face) => ({
        label: String(face), face: { kind, face }, said: words.dieShowing(name, face), tray: next([...faces, face], 0),
        hold: next([...faces, ...Array(left[kind] - faces.length).fill(face)], 0),
      }));
      return { text: left[kind] === 1 ? words.whichFace(name) : words.whichFaces(name, faces.length, left[kind]), keys, once: left[kind] === 1 };
    }
    const order = this.faceOrder(kind);
    const place = Math.min(tray.settled[kind], sides - 1);
    const face = order[place];
    const others = faces.filter((other) => other !== face);
    const room = left[kind] - others.length;
    const keys = Array.from({ length: room + 1 }, (_, n) => {
      const roll = [...others, ...Array(n).fill(face)];
      // What shows none of the other faces shows the last one.
      if (place >= sides - 2) roll.push(...Array(left[kind] - roll.length).fill(order.at(-1)));
      const said = n === left[kind] ? words.allOf(n, face) : words.countOf(n, face);
      return { label: String(n), said, tray: next(roll, place + 1) };
    });
    return { text: words.howMany(face, left[kind], name), keys, once: true };
  }

  tableDice(left, tray) {
    return left.flatMap((n, kind) => Array.from({ length: n }, (_, i) => ({ kind, face: tray.roll[kind][i] ?? null })));
  }

  remove(tray, { kind, face }) {
    const at = tray.roll[kind].indexOf(face);
    return {
      roll: tray.roll.map((faces, k) => (k === kind ? faces.filter((_, i) => i !== at) : faces)),
      settled: tray.settled.map((n, k) => (k === kind ? Math.min(n, this.faceOrder(kind).indexOf(face)) : n)),
    };
  }

  /** The faces that dice of a kind which are not entered may show, the best first. */
  possible(kind, tray) {
    return this.faceOrder(kind).slice(tray.settled[kind]);
  }

  /** Every roll that a tray may become, or null where they are many. */
  completions(left, tray) {
    let found = [[]];
    for (const [kind, n] of left.entries()) {
      let ways = [tray.roll[kind]];
      const possible = this.possible(kind, tray);
      for (let die = tray.roll[kind].length; die < n; die++) {
        const seen = new Map();
        for (const way of ways) {
          for (const face of possible) {
            const roll = [...way, face].sort(descending);
            seen.set(roll.join(), roll);
          }
        }
        ways = [...seen.values()];
        if (ways.length * found.length > MOST_TRIED) return null;
      }
      found = found.flatMap((roll) => ways.map((way) => [...roll, way]));
    }
    return found;
  }

  certain(position, tray) {
    let same = null;
    for (const roll of this.completions(position.left, tray) ?? []) {
      const move = this.best(position, roll)?.win;
      const partOf = move && move.keep.every((faces, kind) => within(faces, tray.roll[kind]));
      if (!partOf || (same && (same.way !== move.way || this.writeRoll(same.keep) !== this.writeRoll(move.keep)))) return null;
      same = move;
    }
    return same;
  }

  prepare() {}

  range() {
    return null;
  }

  best(position, roll) {
    const { moves, bestForWin, bestForScore } = this.rank(position, roll);
    return moves.length ? { win: moves[bestForWin], score: moves[bestForScore] } : null;
  }

  find(position, tray, keep, way) {
    if (!this.complete(position.left, tray)) return null;
    const written = this.writeRoll(keep);
    return this.rank(position, this.rollOf(tray)).moves.find((move) => move.way === way && this.writeRoll(move.keep) === written) ?? null;
  }

  throw(position, stream) {
    return position.left.map((count, kind) => stream.roll(count, this.kinds[kind].sides));
  }

  writeDice(counts) {
    const terms = counts.map((n, kind) => (n ? `${n > 1 ? n : ""}${this.kinds[kind].name}` : "")).filter(Boolean);
    return terms.join("+") || words.none;
  }

  /** Read a typed roll: groups with the name of their die, or bare ones that fill the kinds in their order. */
  readRoll(text, left) {
    const names = this.kinds.map((kind) => kind.name);
    const roll = this.kinds.map(() => []);
    const wrong = (problem) => ({ problem });
    for (const group of text.trim().split(/\s+/).filter(Boolean)) {
      const [, name, shown] = /^(?:(d\d+):)?(.*)$/i.exec(group);
      const named = name ? names.indexOf(name.toLowerCase()) : -1;
      if (name && named < 0) return wrong(words.noKind(group, name, names.join(", ")));
      for (const item of shown.split(",").filter(Boolean)) {
        const room = left.findIndex((n, kind) => n > roll[kind].length);
        const kind = name ? named : names.length === 1 ? 0 : room < 0 ? left.findLastIndex(Boolean) : room;
        const { sides } = this.kinds[kind];
        const found = /^(\d{1,99})(?:x(\d{1,3}))?$/i.exec(item);
        if (!found) return wrong(words.faceText(item, names[kind]));
        const together = sides < 10 && found[1].length > 1 && (found[2] === undefined);
        for (const face of (together ? [...found[1]] : [found[1]]).map(Number)) {
          if (face < 1 || face > sides) return wrong(words.noFace(names[kind], sides, face));
          for (let n = Number(found[2] ?? 1); n > 0; n--) roll[kind].push(face);
        }
        if (roll[kind].length > left[kind]) {
          return wrong(left[kind] ? words.tooMany(left[kind], names[kind], roll[kind].length) : words.noneLeft(names[kind]));
        }
      }
    }
    return { tray: this.trayOf(roll.map((faces) => faces.sort(descending))), problem: "" };
  }

  /**
   * Say by curves where two moves differ most in what they beat, weighed by how often that decides the game, which is what
   * the other player's reply to it changes by; and where it is the other way.
   */
  whyFirst({ xs, best: mine, other: theirs }, other) {
    const gains = xs.map((target, i) => Math.abs(this.reply(target) - this.reply(xs[i + 1] ?? target)) * (mine[i] - theirs[i]));
    const most = gains.indexOf(Math.max(...gains));
    if (!(gains[most] > 0)) return "";
    const least = gains.indexOf(Math.min(...gains));
    const [one, two] = [most, least].map((i) => [xs[i], percent(mine[i]), percent(theirs[i])]);
    if (one[1] === one[2]) return "";
    const but = mine[least] < theirs[least] && two[1] !== two[2] ? words.whyFirstBut(...two) : "";
    return `${words.whyFirst(this.writeRoll(other.keep), ...one)}${but}.`;
  }

  /** Read a keep of a tray that is being entered, or all of it. */
  readKeep(text, left) {
    const { tray, problem } = this.readRoll(text, left);
    return { keep: tray?.roll, problem };
  }

  how() {
    return "";
  }

  worth() {
    return "";
  }

  scoring() {
    return [];
  }

  given(parts) {
    return parts;
  }

  curves() {
    return null;
  }

  /** A game in which every roll has a move knows no bust. */
  bust() {
    return null;
  }
}

/** Every part of a list of faces, the empty one first. */
export function parts(faces) {
  let found = [[]];
  for (const face of new Set(faces)) {
    const times = faces.filter((other) => other === face).length;
    found = found.flatMap((kept) => Array.from({ length: times + 1 }, (_, n) => [...kept, ...Array(n).fill(face)]));
  }
  return found;
}

/** Whether faces are among others, each as often. */
export function within(faces, others) {
  const left = [...others];
  return faces.every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
