// Races: the solved matches, one turn worked out from them, the moves of a roll ranked as `gametheory moves` ranks them,
// and what the page says.
//
// A position is {left, turn, score, opponent}; whoever has banked points has opened. In the tables a standing is a score
// and whether the player has opened, and turn totals are counted in units, the greatest common divisor of all points.

import { decode } from "./data.js";
import { h, percent, points, wholeNumber } from "./dom.js";
import { Game, parts } from "./game.js";
import { best, higherFaces, ranked } from "./order.js";
import { exploreRace } from "./race_explore.js";
import { words } from "./words.js";

/** What acts are ranked by, one worth after the other; playing for points banks whenever that wins. */
const TO_WIN = [(act) => act.win, (act) => act.score];
const FOR_POINTS = [(act) => act.wins, (act) => act.score];

export class Race extends Game {
  constructor(data) {
    super(data);
    const { dice, sides, goal, opening, hotDice, bustFaces, unit, combinations, bust, classes, scores, opened } = data;
    Object.assign(this, { dice, sides, goal, opening, hotDice, bustFaces, unit, combinations, classes, scores, opened });
    this.bustChance = bust;
    this.kinds = [{ name: `d${sides}`, sides }];
    this.start = { left: [dice], turn: 0, score: 0, opponent: 0 };
    this.ways = [
      { id: "keep-roll", label: words.keepAndRoll },
      { id: "keep-bank", label: words.keepAndBank },
    ];
    this.asked = ["score", "opponent", "turn", "waiting", "theirs"];
    this.exploring = { score: "0", opponent: "0" };
    this.size = scores.length;
    this.values = decode(data.values);
    this.expectedTable = decode(data.expected);
    this.rows = this.expectedTable.length / (2 * (dice + 1));
    this.memory = new Map();
  }

  /** Where a score stands in the tables; whoever has banked points has opened. */
  standingOf(score) {
    return this.scores.findIndex((s, i) => s === score && (this.opened[i] === 1) === (score > 0 || !this.opening));
  }

  /** The chance to win of the player to move, before the first throw of a turn. */
  match(score, opponent) {
    return this.values[this.standingOf(score) * this.size + this.standingOf(opponent)];
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
  keeps(faces) {
    if (faces.some((face) => this.bustFaces.includes(face))) return [];
    return parts(faces).flatMap((keep) => {
      const gained = this.keepPoints(this.count(keep));
      if (!gained) return [];
      const rest = faces.length - keep.length;
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
    const me = this.standingOf(score);
    const them = this.standingOf(opponent);
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
        let sum = this.bustChance[dice] * lose;
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
      total < need ? thrown[total * width + dice] : this.bustChance[dice] * lose + (1 - this.bustChance[dice]);
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

  /**
   * What may be done at a turn total (in units) with so many dice left, banking first: the chance to win, the expected
   * score, and whether it wins at once. Where a turn must end with a total that may not be banked, it counts nothing.
   */
  acts(chances, total, dice) {
    const win = chances.bank(total);
    const counts = win > -Infinity;
    const found = [];
    if (counts) found.push({ bank: true, way: 1, counts, win, score: total * this.unit, wins: Number(total >= chances.need) });
    else if (!dice) found.push({ bank: true, way: 1, counts, win: chances.lose, score: 0, wins: 0 });
    if (dice) {
      const score = this.expectedTurn(chances.open, total, dice);
      found.push({ bank: false, way: 0, win: chances.rolled(total, dice), score, wins: 0 });
    }
    return found;
  }

  prepare({ score, opponent }) {
    this.turn(score, opponent);
  }

  /** Whether playing for points banks, of such acts. */
  banksForPoints(acts) {
    return best(acts, FOR_POINTS).bank;
  }

  /** The chance of every total that a turn makes, by units; 0 is a bust. Both ways to play bank what wins. */
  turnScores({ score, opponent }, toWin) {
    const chances = this.turn(score, opponent);
    const width = this.dice + 1;
    const most = chances.need + Math.max(...this.classes.flat().flatMap(([, options]) => options.map(([gained]) => gained)));
    const ends = new Float64Array(most + 1);
    const here = new Float64Array((most + 1) * width);
    here[this.dice] = 1;
    for (let total = 0; total < most; total++) {
      for (let dice = 1; dice <= this.dice; dice++) {
        const mass = here[total * width + dice];
        if (!mass) continue;
        ends[0] += mass * this.bustChance[dice];
        for (const [chance, options] of this.classes[dice]) {
          const offered = options.flatMap(([gained, left]) =>
            this.acts(chances, total + gained, left).map((act) => ({ ...act, after: total + gained, left })));
          const { bank, counts, after, left } = best(offered, toWin ? TO_WIN : FOR_POINTS);
          if (bank && !counts) ends[0] += mass * chance;
          else if (bank || after >= most) ends[Math.min(after, most)] += mass * chance;
          else here[after * width + left] += mass * chance;
        }
      }
    }
    return Array.from(ends);
  }

  // The game

  chance({ left, turn, score, opponent }) {
    return turn ? this.turn(score, opponent).rolled(turn / this.unit, left[0]) : this.match(score, opponent);
  }

  /** The last ranking is remembered: looking at one roll in several ways ranks it once. */
  rank(position, roll) {
    const key = [position.turn, position.score, position.opponent, ...roll[0]].join();
    if (this.ranking?.key !== key) this.ranking = { key, found: this.rankNow(position, roll) };
    return this.ranking.found;
  }

  rankNow({ turn, score, opponent }, roll) {
    const chances = this.turn(score, opponent);
    const found = this.keeps(roll[0]).flatMap(({ keep, points: gained, dice }) =>
      this.acts(chances, (turn + gained) / this.unit, dice).map((act) => ({ ...act, keep: [keep], points: gained, dice })));
    return ranked(found, TO_WIN, FOR_POINTS, raceOrder);
  }

  after({ left, turn, score, opponent }, move) {
    const total = move ? turn + move.points : 0;
    if (move && !move.bank) {
      return { position: { left: [move.dice], turn: total, score, opponent }, passes: false, result: null };
    }
    const made = score + (move?.counts ? total : 0);
    if (made >= this.goal) return { position: { left, turn: 0, score: made, opponent }, passes: false, result: 1 };
    return { position: { ...this.start, score: opponent, opponent: made }, passes: true, result: null };
  }

  // In words

  /** What scores: dice that count together, and their points. */
  scoring() {
    return this.combinations.map(([used, worth]) => [used.flatMap((n, i) => Array(n).fill(i + 1)), worth])
      .sort(([a], [b]) => a.length - b.length || a[0] - b[0]).map(([faces, worth]) => [faces.join(" "), worth]);
  }

  worth(keep) {
    if (!keep[0].length) return "";
    const made = this.keepPoints(this.count(keep[0]));
    return made ? words.worth(made) : words.noScoreYet;
  }

  writeRoll(roll) {
    return roll[0].join(" ") || words.nothing;
  }

  example(left) {
    return Array.from({ length: left[0] }, (_, i) => ((i * 2) % this.sides) + 1).join(" ");
  }

  afterwards(move) {
    return move.bank ? words.bankFor(move.points) : words.rollWith(move.points, move.dice);
  }

  how(move) {
    return move.bank ? words.howBank : words.howRoll;
  }

  expectation(move) {
    return words.thisTurn(points(move.score, this.unit));
  }

  refusal(keep, other, way) {
    if (!keep[0].length) return words.keepNone;
    if (!other) return words.noPart(this.writeRoll(keep));
    return way ? words.tooLittle(this.opening) : words.noDice;
  }

  told({ turn, score, opponent }) {
    return words.toldRace(score, opponent, turn);
  }

  standing({ left, turn, score, opponent }) {
    if (!turn) return words.standingWin(h("strong", {}, percent(this.match(score, opponent))));
    const chances = this.turn(score, opponent);
    const bank = chances.bank(turn / this.unit);
    const roll = h("strong", {}, percent(chances.rolled(turn / this.unit, left[0])));
    return bank === -Infinity ? words.beforeLow(roll) : words.before(turn, h("strong", {}, percent(bank)), roll);
  }

  /** A throw told by its parts: how often it busts, and what is won after a bust and otherwise. */
  why({ turn, score, opponent }, best, other) {
    const chances = this.turn(score, opponent);
    const [bank, roll] = best.bank ? [best, other] : [other, best];
    if (bank.bank && !roll.bank) {
      const bust = this.bustChance[roll.dice];
      if (bust >= 1) return "";
      const otherwise = (roll.win - bust * chances.lose) / (1 - bust);
      return words.whyRollBank(roll.dice, percent(bust), percent(chances.lose), percent(otherwise), turn + bank.points, percent(bank.win));
    }
    const said = [best, other].map((move) => {
      const [keep, total] = [this.writeRoll(move.keep), turn + move.points];
      return move.bank ? words.whyBanks(keep, total) : words.whyRolls(keep, move.dice, total, percent(this.bustChance[move.dice]));
    });
    const text = words.both(...said);
    return text[0].toUpperCase() + text.slice(1);
  }

  // Advise

  entry() {
    return { left: [this.dice], note: "", score: "0", opponent: "0", turn: "0", theirs: "0", waiting: "" };
  }

  entryAt({ left, turn, score, opponent }) {
    return { ...this.entry(), left, turn: String(turn), score: String(score), opponent: String(opponent) };
  }

  form(entry) {
    const [score, opponent] = [this.checkScore(entry.score), this.checkScore(entry.opponent)];
    const turn = { value: wholeNumber(entry.turn), problem: "" };
    if (turn.value === null) turn.problem = words.noTurn(entry.turn.trim());
    else if (turn.value < 0) turn.problem = words.turnLow;
    else if (turn.value % this.unit) turn.problem = words.steps(this.unit, turn.value);
    else if (turn.value === 0 && entry.left[0] !== this.dice) turn.problem = words.giveTurn(entry.left[0]);
    const right = ![score, opponent, turn].some((read) => read.problem);
    const won = right && score.value + turn.value >= this.goal && entry.note;
    return {
      choices: [],
      fields: [
        { id: "score", label: words.yourScore, problem: score.problem },
        { id: "opponent", label: words.theirScore, problem: opponent.problem },
        ...(entry.waiting ? [] : [{ id: "turn", label: words.turnTotal, problem: turn.problem }]),
      ],
      steps: entry.waiting || this.dice === 1 ? [] : [{ least: 1, most: this.dice }],
      position: right ? { left: entry.left, turn: turn.value, score: score.value, opponent: opponent.value } : null,
      card: entry.waiting ? this.theirTurn(entry, opponent, !score.problem && !opponent.problem)
        : won ? { title: words.wins, text: entry.note } : null,
    };
  }

  /** Read a score: its value, or what is wrong with it. */
  checkScore(text) {
    const value = wholeNumber(text);
    return { value, problem: value === null ? words.noScore(text.trim()) : this.problemScore(value) };
  }

  /** Say what is wrong with a player's score, or nothing. */
  problemScore(score) {
    if (score < 0) return words.scoreLow;
    if (score >= this.goal) return words.scoreGoal(this.goal);
    if (score % this.unit) return words.scoreSteps(this.unit, score);
    if (score && score < this.opening) return words.scoreOpening(this.opening);
    return "";
  }

  /** The card that asks what the other player made. */
  theirTurn(entry, opponent, right) {
    const gained = wholeNumber(entry.theirs);
    const made = opponent.value + gained;
    let problem = "";
    if (gained === null) problem = words.noGain(entry.theirs.trim());
    else if (gained < 0) problem = words.turnLow;
    else if (right && made < this.goal) problem = this.problemScore(made);
    const ended = right && !problem && made >= this.goal;
    return {
      title: words.theirTurn, text: entry.note,
      fields: [{ id: "theirs", label: words.theyBanked, problem, hint: words.zeroForBust }],
      end: ended ? words.theyWon(made) : "",
      button: {
        id: "my-turn", label: words.myTurn, disabled: Boolean(problem) || !right || ended,
        entry: { ...entry, waiting: "", opponent: String(made), theirs: "0", note: "" },
      },
    };
  }

  take(entry, move) {
    const [score, turn] = [wholeNumber(entry.score), wholeNumber(entry.turn)];
    const total = turn + move.points;
    if (!move.bank) {
      return { ...entry, turn: String(total), left: [move.dice], note: words.keptScore(this.writeRoll(move.keep), move.points) };
    }
    const made = score + (move.counts ? total : 0);
    if (made >= this.goal) return { ...entry, turn: String(total), note: words.bankedMade(total, made) };
    return this.passed({ ...entry, score: String(made), note: words.youBankedTurn(made - score) });
  }

  bust(entry) {
    return {
      title: words.bustTitle, text: words.bustText(wholeNumber(entry.turn)),
      button: { id: "pass", label: words.theirTurn, entry: this.passed({ ...entry, note: words.bustNote }) },
    };
  }

  passed(entry) {
    return { ...entry, turn: "0", left: [this.dice], waiting: "1", theirs: "0" };
  }

  // Train

  tell(mine, { turn, score }, roll, move) {
    if (!move) return [words.bustWith(mine), roll, turn ? words.andLose(turn) : ""];
    if (!move.bank) return null;
    const made = move.counts ? turn + move.points : 0;
    return [words.banksAndHas(mine, made, score + made), null, ""];
  }

  outcome({ score, opponent }, mine) {
    const [own, theirs] = mine ? [score, opponent] : [opponent, score];
    return words.outcome(own, theirs, mine ? words.youWin : words.theyWin);
  }

  record({ turn, score, opponent }, roll, move) {
    return `turn=${turn} | score=${score} | opponent=${opponent} | ${this.writeRoll(roll)} | ${this.writeRoll(move.keep)} ${move.bank ? "bank" : "roll"}`;
  }

  // Explore

  explore(chosen, width, change) {
    return exploreRace(this, chosen, width, change);
  }
}

/** Between moves of equal worth: fewer dice kept, then higher faces, then to bank. */
function raceOrder(a, b) {
  return a.keep[0].length - b.keep[0].length || higherFaces(a.keep[0], b.keep[0]) || b.bank - a.bank;
}
