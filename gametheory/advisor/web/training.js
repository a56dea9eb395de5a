// A training game: the dice of both players, the opponent's moves, my decisions, and the account of chances.
//
// My chance to win, as both would go on playing at their best, changes only by dice (luck) and by mistakes, so that
//     chance at the start + luck of my dice + luck of theirs - given away + what they gave away = what the game brought.
//
// A decision is forced where there is one move, and obvious where every other gives away more than OBVIOUS: these do not
// count in a rating.

import { TIED } from "./data.js";
import { Stream } from "./random.js";

export const OBVIOUS = 0.05;

/** Hold a move of a ranking to the best one. */
export function judge({ moves, bestForWin }, move) {
  const best = moves[bestForWin];
  const lost = best.win - move.win;
  const forced = moves.length === 1;
  const obvious = !forced && moves.every((other) => other === best || best.win - other.win > OBVIOUS);
  return { move, best, cost: lost > TIED ? lost : 0, forced, counts: !forced && !obvious };
}

export class Training {
  constructor(game, seat, seed, opponent = "win") {
    Object.assign(this, { game, seat, seed, opponent });
    this.dice = [new Stream(seed, 0), new Stream(seed, 1)];
    this.decisions = [];
    this.places = [];
    this.given = 0;
    this.theirGiven = 0;
    this.luck = 0;
    this.theirLuck = 0;
    this.log = [];
    this.over = false;
    this.outcome = "";
    this.result = null;
    this.position = game.start;
    this.mine = seat === "first";
    this.start = this.mine ? game.chance(game.start) : 1 - game.chance(game.start);
    this.next();
  }

  /** The ranking of the roll on the table. */
  get ranking() {
    if (this.ranked?.roll !== this.roll) this.ranked = { roll: this.roll, ranking: this.game.rank(this.position, this.roll) };
    return this.ranked.ranking;
  }

  /** Throw for both, and move for the opponent, until there is something for me to decide. */
  next() {
    while (!this.over) {
      const { game, position } = this;
      // My stream is that of my seat: who goes first throws the first one.
      const stream = this.dice[this.mine === (this.seat === "first") ? 0 : 1];
      this.roll = game.throw(position, stream);
      const best = game.best(position, this.roll);
      const luck = (best ? best.win.win : this.chanceAfterBust()) - game.chance(position);
      if (this.mine) this.luck += luck;
      else this.theirLuck -= luck;
      if (this.mine && best) return;
      const move = best && (this.mine ? best.win : best[this.opponent]);
      if (best && !this.mine) this.theirGiven += Math.max(0, best.win.win - move.win);
      this.play(move);
    }
  }

  chanceAfterBust() {
    const { position, passes } = this.game.after(this.position, null);
    return passes ? 1 - this.game.chance(position) : this.game.chance(position);
  }

  /** What one of the ranked moves costs; nothing is played. */
  judge(place) {
    return { ...judge(this.ranking, this.ranking.moves[place]), place, position: this.position, roll: this.roll };
  }

  /** Take a decision that was judged, and throw on. */
  take(decision) {
    this.given += decision.cost;
    this.decisions.push(decision);
    this.places.push(decision.place);
    this.play(decision.move);
    this.next();
  }

  /** Take one of the ranked moves, and put down what it costs. */
  decide(place) {
    const decision = this.judge(place);
    this.take(decision);
    return decision;
  }

  /** Let a move, or with null a bust, take effect for the player to move. */
  play(move) {
    const line = this.game.tell(this.mine, this.position, this.roll, move);
    if (line) this.log.push(line);
    const { position, passes, result } = this.game.after(this.position, move);
    this.position = position;
    if (result !== null) {
      this.over = true;
      this.result = this.mine ? result : 1 - result;
      this.outcome = this.game.outcome(position, this.mine);
    } else if (passes) {
      this.mine = !this.mine;
    }
  }
}

export function newTraining(game, seat, seed, opponent) {
  return new Training(game, seat, seed, opponent);
}
