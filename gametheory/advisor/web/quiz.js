// Quiz: single positions, half of them such that winning and points ask for different moves, and one's own mistakes.

import { adviseAddress, readPosition } from "./advise.js";
import { keepAddress, writeAddress } from "./address.js";
import { DISAGREE } from "./data.js";
import { Decision } from "./decision.js";
import { firstTap, h, inHundred, replaceContent, say } from "./dom.js";
import { Stream } from "./random.js";
import { answered, due } from "./store.js";
import { judge } from "./training.js";
import { words } from "./words.js";

const MOST_GAMES = 40;

/** Draw a position of games played at their best: where winning and points part, or where they agree. */
export function drawPosition(game, seed, parting) {
  const picking = new Stream(seed, 0);
  let spare = null;
  for (let number = 0; number < MOST_GAMES; number++) {
    const found = decisionsOf(game, new Stream(seed * MOST_GAMES + number, 1)).filter((decision) => decision.parts === parting);
    for (let tries = 0; found.length && tries < 8; tries++) {
      const [at] = picking.roll(1, found.length);
      const { position, roll } = found[at - 1];
      const ranking = game.rank(position, roll);
      if (judge(ranking, ranking.moves[0]).counts) return { position, roll, parts: parting };
      spare ??= { position, roll, parts: parting };
    }
  }
  return spare ?? (parting ? drawPosition(game, seed, false) : decisionsOf(game, new Stream(seed * MOST_GAMES, 1))[0]);
}

/** The decisions of one game, both players at their best. */
function decisionsOf(game, stream) {
  const found = [];
  let { start: position } = game;
  for (let over = false; !over;) {
    const roll = game.throw(position, stream);
    const best = game.best(position, roll);
    if (best) found.push({ position, roll, parts: best.win.win - best.score.win > DISAGREE });
    const next = game.after(position, best?.win ?? null);
    position = next.position;
    over = next.result !== null;
  }
  return found;
}

export class Quiz {
  /** `go(number)` asks another question by its address. */
  constructor(game, place, number, go) {
    Object.assign(this, { game, place, number, go });
    const [mistake] = number % 3 === 2 ? due(game.name) : [];
    const old = mistake ? readPosition(game, mistake) : null;
    this.old = Boolean(old);
    const { position, roll } = old ?? drawPosition(game, number, number % 2 === 0);
    this.decision = new Decision(game, position, roll, {
      redraw: () => this.draw(),
      onJudged: ({ cost }, first) => {
        if (!first) return;
        answered(adviseAddress(game, position, roll), game.name, cost);
        Quiz.asked.push(cost);
      },
      after: () => h("button", { type: "button", id: "quiz-next", class: "main", onclick: firstTap(() => this.go(number + 1)) }, words.quizNext),
    });
  }

  draw() {
    const { game, decision } = this;
    const told = [h("p", { class: "standing" }, game.told(decision.position).join(" · ")),
      h("p", { class: "hint" }, this.old ? words.quizMistake : words.quizHint)];
    const { asked } = Quiz;
    const mean = asked.reduce((sum, cost) => sum + cost, 0) / (asked.length || 1);
    replaceContent(this.place, h("section", { class: "entering" }, decision.parts(told, words.quizTitle),
      asked.length ? h("p", { class: "hint", id: "quiz-score" }, words.quizScore(asked.length, inHundred(mean))) : null), "decision-title");
    keepAddress(writeAddress("quiz", game.name, [this.number]));
    say(this.place.querySelector("#answer")?.innerText ?? "");
  }
}
Quiz.asked = [];
