// A training game: the dice of both players, the opponent's moves, my decisions, and the account of chances.
//
// My chance to win, as both would go on playing at their best, changes only by dice (luck) and by my mistakes, so that
//     chance at the start + luck of my dice + luck of theirs - chance given away = what the game brought.

import { TIED } from "./data.js";
import { Stream } from "./random.js";

export class Training {
  constructor(game, seat, seed) {
    Object.assign(this, { game, seat, seed });
    this.dice = [new Stream(seed, 0), new Stream(seed, 1)];
    this.decisions = [];
    this.given = 0;
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

  /** Throw for both, and move for the opponent at his best, until there is something for me to decide. */
  next() {
    while (!this.over) {
      const { game, position } = this;
      // My stream is that of my seat: who goes first throws the first one.
      const stream = this.dice[this.mine === (this.seat === "first") ? 0 : 1];
      this.roll = position.left.map((count, kind) => stream.roll(count, game.kinds[kind].sides));
      this.ranking = game.rank(position, this.roll);
      const best = this.ranking.moves[this.ranking.bestForWin] ?? null;
      const luck = (best ? best.win : this.chanceAfterBust()) - game.chance(position);
      if (this.mine) this.luck += luck;
      else this.theirLuck -= luck;
      if (this.mine && best) return;
      this.play(best);
    }
  }

  chanceAfterBust() {
    const { position, passes } = this.game.after(this.position, null);
    return passes ? 1 - this.game.chance(position) : this.game.chance(position);
  }

  /** Take one of the ranked moves, and put down what it costs. */
  decide(place) {
    const { moves, bestForWin } = this.ranking;
    const [move, best] = [moves[place], moves[bestForWin]];
    const cost = best.win - move.win > TIED ? best.win - move.win : 0;
    this.given += cost;
    const decision = { roll: this.roll, move, best, cost, forced: moves.length === 1 };
    this.decisions.push(decision);
    this.play(move);
    this.next();
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

export function newTraining(game, seat, seed) {
  return new Training(game, seat, seed);
}
