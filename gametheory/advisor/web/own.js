// Games of one's own: positions and what leads where, as lists (see `own/page.py`), moves told in words.
//
// A position is {left: [n], target}: n numbers a position, and the target, what is to be beaten, is null for the player who
// goes first. A roll is {roll, name}, a keep {move, name}: their numbers, and what they are called.

import { lineChart } from "./charts.js";
import { decode, decodeWhole } from "./data.js";
import { h, percent, points, wholeNumber } from "./dom.js";
import { Game } from "./game.js";
import { ranked } from "./order.js";
import { words } from "./words.js";

const MOST_KEYS = 28;
const bare = (text) => text.replace(/\s+/g, "").toLowerCase();
const sortedWords = (text) => text.toLowerCase().split(/[^\p{L}\p{N}.-]+/u).filter(Boolean).sort().join(" ");

export class Own extends Game {
  constructor(data) {
    super(data);
    const { higher, tieWorth, texts, where, placed, base, offset, scores } = data;
    Object.assign(this, { higher, tieWorth, texts, where, placed, base, offset, scores, lower: !higher, listed: true, kinds: [] });
    this.about = `${data.about} ${words.ties[data.tie] ?? words.tieWorth(data.tie)}`;
    this.finished = new Set(data.finished);
    for (const name of ["rolls", "moves", "shown", "kept", "after", "gains"]) this[`${name}List`] = decodeWhole(data[name]);
    this.weights = data.weights.map(BigInt);
    [this.firstTable, this.expectedTable, this.secondTable] = [data.first, data.expected, data.second].map(decode);
    this.start = { left: [where.length - 1], target: null };
    this.ways = [{ id: "keep", label: words.kept }];
    this.asked = ["seat", "target"];
    this.exploring = {};
    this.most = Math.max(0, ...base.map((_, place) => this.rollsList[place + 1] - this.rollsList[place]).filter((n) => n <= MOST_KEYS));
  }

  get padSize() {
    return this.most;
  }

  /** The place of a position. */
  placeOf(position) {
    return this.offset.findIndex((begin, place) => begin <= position && position < this.offset[place + 1]);
  }

  /** The rolls of a position. */
  rollsOf([position]) {
    const place = this.placeOf(position);
    return Array.from({ length: this.rollsList[place + 1] - this.rollsList[place] }, (_, i) => {
      const roll = this.rollsList[place] + i;
      return { roll, name: this.texts[this.shownList[roll]] };
    });
  }

  second(position, target) {
    return this.secondTable[position * this.scores.length + this.scores.indexOf(target)];
  }

  reply(target) {
    return this.second(this.start.left[0], target);
  }

  // The game

  chance({ left: [position], target }) {
    return target === null ? this.firstTable[position] : this.second(position, target);
  }

  rank({ left: [position], target }, { roll }) {
    const place = this.placeOf(position);
    const banked = this.base[place] + position - this.offset[place];
    const sign = this.higher ? 1 : -1;
    const found = Array.from({ length: this.movesList[roll + 1] - this.movesList[roll] }, (_, listed) => {
      const move = this.movesList[roll] + listed;
      const then = this.afterList[move];
      const next = this.offset[then] + banked + this.gainsList[move] - this.base[then];
      return {
        keep: { move, name: this.texts[this.keptList[move]] }, way: 0, listed, points: sign * this.gainsList[move], left: [next],
        score: this.expectedTable[next], win: this.chance({ left: [next], target }),
      };
    });
    const score = (move) => sign * move.score;
    return ranked(found, [(move) => move.win, score], [score], (a, b) => a.listed - b.listed);
  }

  over(position) {
    return this.finished.has(this.placeOf(position));
  }

  after({ target }, { left }) {
    const position = { left, target };
    if (!this.over(left[0])) return { position, passes: false, result: null };
    const made = this.expectedTable[left[0]];
    if (target === null) return { position: { ...this.start, target: made }, passes: true, result: null };
    return { position, passes: false, result: made === target ? this.tieWorth : Number(this.beats(made, target)) };
  }

  beats(score, other) {
    return this.higher ? score > other : score < other;
  }

  throw({ left }, stream) {
    const rolls = this.rollsOf(left);
    return rolls[stream.draw(rolls.map(({ roll }) => this.weights[roll]))];
  }

  // Entering a roll

  emptyTray() {
    return { roll: null };
  }

  trayOf(roll) {
    return { roll };
  }

  entered({ roll }) {
    return roll !== null;
  }

  complete(left, { roll }) {
    return roll !== null;
  }

  missing() {
    return words.whichRoll;
  }

  writeTray({ roll }) {
    return roll === null ? "" : roll.name;
  }

  ask(left, tray) {
    if (tray.roll !== null) return null;
    const rolls = this.rollsOf(left);
    const keys = rolls.length > this.most ? [] : rolls.map((roll) => ({ label: roll.name, said: "", tray: { roll } }));
    return { text: keys.length ? words.whichRoll : words.typeIt, keys, once: true };
  }

  readRoll(text, left) {
    const rolls = this.rollsOf(left);
    const roll = rolls.find(({ name }) => bare(name) === bare(text)) ?? rolls.find(({ name }) => sortedWords(name) === sortedWords(text))
      ?? rolls.find(({ name }) => [...bare(name)].sort().join() === [...bare(text)].sort().join());
    if (roll || !text.trim()) return { tray: { roll: roll ?? null }, problem: "" };
    return { problem: words.noRoll(text) };
  }

  readKeep(text, left, { roll }) {
    const found = roll && this.rank({ left, target: null }, roll).moves.find(({ keep }) => bare(keep.name) === bare(text));
    return found ? { keep: found.keep, problem: "" } : { problem: words.noMove };
  }

  certain(position, { roll }) {
    return roll && this.best(position, roll).win;
  }

  find(position, { roll }, keep) {
    return roll && keep ? this.rank(position, roll).moves.find((move) => move.keep.name === keep.name) ?? null : null;
  }

  noKeep() {
    return null;
  }

  // In words

  writeRoll(thing) {
    return thing?.name ?? words.nothing;
  }

  example(left) {
    return this.rollsOf(left)[0]?.name ?? "";
  }

  afterwards({ left: [position] }) {
    return this.over(position) ? words.ends : words.then(this.where[position]);
  }

  expectation(move) {
    return words.points(points(move.score));
  }

  refusal() {
    return words.noMove;
  }

  told({ left: [position], target }) {
    return [target === null ? words.first : words.second(target), this.where[position]];
  }

  standing(position) {
    return words.standing(h("strong", {}, percent(this.chance(position))), h("strong", {}, points(this.expectedTable[position.left[0]])));
  }

  why(position, best, other) {
    const curves = this.curves(position, best, other);
    return curves ? this.whyFirst(curves, other) : "";
  }

  curves({ target }, best, other) {
    if (target !== null) return null;
    const xs = [...this.scores].sort((a, b) => a - b);
    const [mine, theirs] = [best, other].map((move) => xs.map((score) => this.second(move.left[0], score)));
    return { xs, best: mine, other: theirs, xLabel: words.sideSecond };
  }

  // Advise

  entry(before) {
    return { left: this.start.left, note: "", seat: before?.seat ?? "first", target: "" };
  }

  given(parts) {
    return parts.target === undefined ? parts : { seat: "second", ...parts };
  }

  entryAt({ left, target }) {
    return { ...this.entry(), left, seat: target === null ? "first" : "second", target: target === null ? "" : String(target) };
  }

  form(entry) {
    const second = entry.seat === "second";
    const target = second ? wholeNumber(entry.target) : null;
    let problem = "";
    if (second && target === null) problem = entry.target.trim() ? words.noScore(entry.target.trim()) : words.sayTarget;
    else if (second && !this.scores.includes(target)) problem = words.notAttained(target);
    const position = problem ? null : { left: entry.left, target };
    return {
      choices: [{ id: "seat", label: words.youPlay, options: Object.entries(words.seats) }],
      fields: second ? [{ id: "target", label: words.theyMade, problem }] : [],
      steps: [], position, card: this.over(entry.left[0]) ? this.ended(position) : null,
    };
  }

  /** The card when the game is over. */
  ended(position) {
    const card = { title: words.over, id: "final", text: "" };
    if (!position) return card;
    const made = this.expectedTable[position.left[0]];
    if (position.target !== null) return { ...card, text: words.madeAgainst(made, position.target, this.verdict(made, position.target)) };
    return {
      ...card, text: words.madeFirst(made, percent(this.reply(made))),
      button: { id: "other-seat", label: words.adviseSecond(made), entry: { ...this.entry(), seat: "second", target: String(made) } },
    };
  }

  verdict(mine, theirs) {
    return mine === theirs ? words.tie : this.beats(mine, theirs) ? words.youWin : words.theyWin;
  }

  take(entry, move) {
    return { ...entry, left: move.left, note: `${move.keep.name}.` };
  }

  // Train

  tell(mine, position, roll, move) {
    return mine ? null : [words.theyKeep(move.keep.name), roll, this.over(move.left[0]) ? words.andHave(move.score) : words.then(this.where[move.left[0]])];
  }

  outcome({ left: [position], target }, mine) {
    const made = this.expectedTable[position];
    const [own, theirs] = mine ? [made, target] : [target, made];
    return words.outcome(own, theirs, this.verdict(own, theirs));
  }

  record({ left: [position], target }, roll, move) {
    const against = target === null ? "" : ` | target=${target}`;
    return `${this.placed[position]}${against} | ${roll.name} | ${move.keep.name}`;
  }

  // Explore

  explore(chosen, width) {
    const xs = [...this.scores].sort((a, b) => a - b);
    const chances = xs.map((score) => this.reply(score));
    return [
      h("p", { class: "standing", id: "explore-position", tabindex: -1 }, words.exploreOwn(h("strong", {}, percent(this.chance(this.start))),
        h("strong", {}, this.expectedTable[this.start.left[0]].toFixed(2)))),
      lineChart({
        id: "second", title: words.secondTitle, xs, yMost: 1, xLabel: words.firstScore, yLabel: words.chance,
        series: [{ name: words.chance, look: "win", ys: chances }], yFormat: (value) => `${Math.round(100 * value)}%`,
        prompt: words.readCurve, read: (i) => words.secondRead(xs[i], percent(chances[i])),
      }, width),
    ];
  }
}
