// Advise: the position as it lies on the table, and the moves ranked.

import { choice, difference, field, h, percent, plural, points, replaceContent, say, wholeNumber } from "./dom.js";
import { moveList, rollEntry } from "./dice_view.js";

const SHOWN = 6;

/** The position that a new game begins with. */
function fresh(game, seat = "first", target = "") {
  const left = game.family === "pool" ? game.start : [game.dice];
  return {
    seat, target, banked: "0", score: "0", opponent: "0", turn: "0", theirs: "0", waiting: false,
    left, roll: game.kinds.map(() => []), typed: null, shown: SHOWN, note: "",
  };
}

export class Advise {
  constructor(game, place) {
    this.game = game;
    this.place = place;
    this.state = fresh(game);
    this.past = [];
    this.lastField = null;
  }

  /** Change the position; what is typed into one field is undone at once. */
  change(changes, typedInto = null) {
    if (!typedInto || typedInto !== this.lastField) this.past.push(this.state);
    this.lastField = typedInto;
    this.state = { ...this.state, note: "", ...changes };
    this.draw();
  }

  undo() {
    if (this.past.length) this.state = this.past.pop();
    this.lastField = null;
    this.draw();
  }

  draw() {
    replaceContent(this.place, this.game.family === "pool" ? this.pool() : this.race(), "roll-title");
    const best = this.place.querySelector(".move")?.getAttribute("aria-label");
    say([this.state.note, best && `Best: ${best}.`, this.place.querySelector("#why")?.textContent].filter(Boolean).join(" "));
  }

  /** Play a move: the next roll is what is looked at then. */
  play(changes) {
    this.change({ roll: this.game.kinds.map(() => []), typed: null, shown: SHOWN, ...changes });
    document.getElementById("roll-title")?.scrollIntoView({ block: "nearest" });
  }

  // Pools

  pool() {
    const { game, state } = this;
    const target = state.seat === "second" ? wholeNumber(state.target) : null;
    const banked = wholeNumber(state.banked);
    const problems = { target: "", banked: "" };
    if (state.seat === "second" && target === null) {
      problems.target = state.target.trim() ? `“${state.target.trim()}” is no score: give a whole number.` : "Say what they made.";
    }
    if (banked === null) problems.banked = `“${state.banked.trim()}” is no number of points: give a whole number, such as 0.`;
    else problems.banked = game.problemBanked(state.left, banked);
    const right = !problems.target && !problems.banked;
    const over = !state.left.some(Boolean);

    const position = h("section", { class: "card", "aria-label": "position" },
      choice("seat", "You play", [["first", "first"], ["second", "second"]], state.seat, (seat) => this.change({ seat })),
      h("div", { class: "fields" },
        state.seat === "second"
          ? field("target", "They made", state.target, problems.target, (value) => this.change({ target: value }, "target")) : null,
        field("banked", "You have banked", state.banked, problems.banked, (value) => this.change({ banked: value }, "banked"))),
      this.diceLeft());
    const standing = right && !over
      ? h("p", { class: "standing" }, "Before this roll you win ",
        h("strong", {}, percent(game.chance(state.left, banked, target))), " and expect ",
        h("strong", {}, points(game.expectedScore(state.left, banked))), " points.")
      : null;
    return [
      position,
      over ? this.finished(banked, target, right) : h("section", { class: "card", "aria-label": "roll" }, this.rollPart(), standing),
      over ? null : this.movesPart(right, () => game.rank(state.roll, banked, target), (ranking, place) => {
        const move = ranking.moves[place];
        this.play({
          banked: String(banked + move.points), left: move.left,
          note: `Kept ${game.writeRoll(move.keep)} for ${plural(move.points, "point")}.`,
        });
      }, (ranking) => whyPool(game, ranking, banked, target)),
      this.buttons(),
    ];
  }

  finished(banked, target, right) {
    const { game } = this;
    let text = "";
    if (right && target === null) {
      text = `You made ${banked}. The second player beats that with a chance of ${percent(game.secondChance(banked, game.start, 0))}.`;
    } else if (right) {
      const won = game.higher ? banked > target : banked < target;
      text = `You made ${banked} against ${target}: ${banked === target ? "a tie" : won ? "you win" : "they win"}.`;
    }
    return h("section", { class: "card" },
      h("h2", { id: "roll-title", tabindex: -1 }, "All dice are set aside"),
      h("p", { id: "final" }, text),
      right && target === null ? h("button", {
        type: "button", id: "other-seat", class: "main",
        onclick: () => this.change(fresh(game, "second", String(banked))),
      }, `Advise the second player against ${banked}`) : null);
  }

  // Races

  race() {
    const { game, state } = this;
    const score = wholeNumber(state.score);
    const opponent = wholeNumber(state.opponent);
    const turn = wholeNumber(state.turn);
    const check = (value, text) => (value === null ? `“${text.trim()}” is no score: give a whole number.` : game.problemScore(value));
    const problems = { score: check(score, state.score), opponent: check(opponent, state.opponent), turn: "" };
    if (turn === null) problems.turn = `“${state.turn.trim()}” is no number of points: give a whole number.`;
    else if (turn < 0) problems.turn = "A turn makes 0 or more.";
    else if (turn % game.unit) problems.turn = `Points go in steps of ${game.unit}: ${turn} cannot occur.`;
    else if (turn === 0 && state.left[0] !== game.dice) {
      problems.turn = `With ${plural(state.left[0], "die", "dice")} left some points were made: give the turn total.`;
    }
    const right = !problems.score && !problems.opponent && !problems.turn;
    const position = h("section", { class: "card", "aria-label": "position" },
      h("div", { class: "fields" },
        field("score", "Your score", state.score, problems.score, (value) => this.change({ score: value }, "score")),
        field("opponent", "Their score", state.opponent, problems.opponent,
          (value) => this.change({ opponent: value }, "opponent")),
        state.waiting ? null : field("turn", "Turn total so far", state.turn, problems.turn,
          (value) => this.change({ turn: value }, "turn"))),
      state.waiting || game.dice === 1 ? null : this.diceLeft());
    if (state.waiting) return [position, this.theirTurn(opponent, !problems.score && !problems.opponent), this.buttons()];
    if (right && score + turn >= game.goal && state.note) {
      return [position, h("section", { class: "card" }, h("h2", { id: "roll-title", tabindex: -1 }, "You win"),
        h("p", {}, state.note)), this.buttons()];
    }
    const bust = this.rollComplete() && !game.keeps(state.roll[0]).length;
    const pass = (changes) => ({ turn: "0", left: [game.dice], waiting: true, theirs: "0", ...changes });
    return [
      position,
      h("section", { class: "card", "aria-label": "roll" }, this.rollPart(), right ? this.bankOrRoll(score, opponent, turn) : null),
      bust && right
        ? h("section", { class: "card" }, h("h2", {}, "A bust"),
          h("p", {}, `Nothing in this roll scores: the turn ends${turn ? ` and its ${turn} points are lost` : ""}.`),
          h("button", { type: "button", id: "pass", class: "main", onclick: () => this.play(pass({ note: "A bust." })) },
            "Their turn"))
        : this.movesPart(right, () => game.rank(state.roll[0], turn, score, opponent), (ranking, place) => {
          const move = ranking.moves[place];
          const total = turn + move.points;
          if (!move.bank) {
            this.play({ turn: String(total), left: [move.dice], note: `Kept ${game.writeRoll(move.keep)} for ${move.points}.` });
          } else if (score + total >= game.goal) {
            this.play({ turn: String(total), note: `You banked ${total} and made ${score + total}.` });
          } else {
            this.play(pass({ score: String(score + total), note: `You banked ${total}.` }));
          }
        }, (ranking) => whyRace(game, ranking, score, opponent, turn)),
      this.buttons(),
    ];
  }

  bankOrRoll(score, opponent, turn) {
    const { game, state } = this;
    if (!turn) return h("p", { class: "standing" }, "Before this roll you win ", h("strong", {}, percent(game.match(score, opponent))), ".");
    const chances = game.turn(score, opponent);
    const total = turn / game.unit;
    const bank = chances.bank(total);
    const roll = chances.rolled(total, state.left[0]);
    if (bank === -Infinity) return h("p", { class: "standing" }, "Too little to bank. Rolling, you win ", h("strong", {}, percent(roll)), ".");
    return h("p", { class: "standing" }, `Before this roll: banking ${turn} you win `, h("strong", {}, percent(bank)),
      ", rolling ", h("strong", {}, percent(roll)), ".");
  }

  theirTurn(opponent, right) {
    const { game, state } = this;
    const gained = wholeNumber(state.theirs);
    let problem = "";
    if (gained === null) problem = `“${state.theirs.trim()}” is no number of points: give a whole number, 0 for a bust.`;
    else if (gained < 0) problem = "A turn makes 0 or more.";
    else if (right && opponent + gained < game.goal) problem = game.problemScore(opponent + gained);
    const ended = right && !problem && opponent + gained >= game.goal;
    return h("section", { class: "card" },
      h("h2", { id: "roll-title", tabindex: -1 }, "Their turn"),
      state.note ? h("p", {}, state.note) : null,
      h("div", { class: "fields" },
        field("theirs", "They banked", state.theirs, problem, (value) => this.change({ theirs: value }, "theirs"), "0 for a bust")),
      ended ? h("p", {}, `They made ${opponent + gained} and win.`) : null,
      h("button", {
        type: "button", id: "my-turn", class: "main", disabled: Boolean(problem) || !right || ended,
        onclick: () => this.change({ waiting: false, opponent: String(opponent + gained), theirs: "0" }),
      }, "My turn"));
  }

  // Both

  /** How many dice are left, set by hand. */
  diceLeft() {
    const { game, state } = this;
    const most = game.family === "pool" ? game.counts : [game.dice];
    const set = (kind, n) => {
      const left = state.left.map((old, k) => (k === kind ? n : old));
      this.change({ left, roll: state.roll.map((faces, k) => faces.slice(0, left[k])), typed: null });
    };
    const opened = this.place.querySelector("#dice-left")?.open ?? false;
    return h("details", { id: "dice-left", open: opened },
      h("summary", { id: "dice-left-title" }, "Dice left: ", h("strong", {}, game.writeDice(state.left)), " (set by hand)"),
      game.kinds.map((kind, k) => h("div", { class: "stepper", role: "group", "aria-label": `${kind.name} left` },
        h("button", {
          type: "button", id: `fewer-${kind.name}`, "aria-label": `one ${kind.name} fewer`,
          disabled: state.left[k] <= (game.family === "race" ? 1 : 0), onclick: () => set(k, state.left[k] - 1),
        }, "−"),
        h("output", {}, `${state.left[k]} ${kind.name}`),
        h("button", {
          type: "button", id: `more-${kind.name}`, "aria-label": `one ${kind.name} more`, disabled: state.left[k] >= most[k],
          onclick: () => set(k, state.left[k] + 1),
        }, "+"))));
  }

  rollComplete() {
    return this.state.roll.every((faces, kind) => faces.length === this.state.left[kind]);
  }

  rollPart() {
    const { game, state } = this;
    const typed = state.typed ?? (state.roll.some((faces) => faces.length) ? game.writeRoll(state.roll) : "");
    const read = state.typed === null ? { problem: "" } : readRoll(game, state.typed, state.left);
    const missing = state.left.map((n, kind) => n - state.roll[kind].length);
    return [
      h("h2", { id: "roll-title", tabindex: -1 }, `Roll ${game.writeDice(state.left)}`),
      state.note ? h("p", { class: "hint" }, state.note) : null,
      rollEntry(game, state.left, state.roll,
        (kind, face) => this.change({
          roll: state.roll.map((faces, k) => (k === kind ? [...faces, face].sort((a, b) => b - a) : faces)), typed: null,
        }),
        (kind, i) => this.change({
          roll: state.roll.map((faces, k) => (k === kind ? faces.filter((_, place) => place !== i) : faces)), typed: null,
        })),
      field("typed-roll", "Or type the roll", typed, read.problem, (text) => {
        const now = readRoll(game, text, state.left);
        this.change({ typed: text, ...(now.roll ? { roll: now.roll, shown: SHOWN } : {}) }, "typed-roll");
      }, "", { inputmode: "text", placeholder: example(game, state.left) }),
      missing.some((n) => n > 0)
        ? h("p", { class: "hint", id: "missing" }, `Still to enter: ${game.writeDice(missing)}.`) : null,
    ];
  }

  movesPart(right, rank, onPlay, why) {
    if (!right) return h("section", { class: "card" }, h("p", { class: "problem" }, "Put right the field marked above to see the moves."));
    if (!this.rollComplete()) return null;
    const ranking = rank();
    if (!ranking.moves.length) return null;
    const differs = ranking.bestForWin !== ranking.bestForScore;
    return h("section", { class: "card", "aria-label": "moves" },
      h("h2", {}, "Moves"),
      h("p", { class: differs ? "why differs" : "why", id: "why" },
        differs ? why(ranking) : "The best move to win is the best for points too."),
      moveList(this.game, ranking, this.state.shown, (place) => onPlay(ranking, place),
        () => this.change({ shown: this.state.shown + 20 })));
  }

  buttons() {
    const { game, state } = this;
    const empty = !state.roll.some((faces) => faces.length);
    return h("div", { class: "actions" },
      h("button", { type: "button", id: "undo", disabled: !this.past.length, onclick: () => this.undo() }, "Undo"),
      h("button", {
        type: "button", id: "clear-roll", disabled: empty,
        onclick: () => this.change({ roll: game.kinds.map(() => []), typed: null }),
      }, "Clear roll"),
      h("button", { type: "button", id: "new-game", onclick: () => this.change(fresh(game, state.seat)) }, "New game"));
  }
}

function example(game, left) {
  const kind = left.findIndex((n) => n > 0);
  if (kind < 0) return "";
  if (game.family === "race") return Array.from({ length: left[0] }, (_, i) => ((i * 2) % game.sides) + 1).join(" ");
  return left.map((n, k) => (n ? `${game.kinds[k].name}:${n > 2 ? `6x${n}` : Array(n).fill(5).join(",")}` : "")).filter(Boolean).join(" ");
}

/** Read a typed roll; return it, or what is wrong with it. */
export function readRoll(game, text, left) {
  const names = game.kinds.map((kind) => kind.name);
  const roll = game.kinds.map(() => []);
  const wrong = (problem) => ({ problem });
  for (const group of text.trim().split(/\s+/).filter(Boolean)) {
    let [, name, faces] = /^(?:(d\d+):)?(.*)$/i.exec(group);
    const kind = name ? names.indexOf(name.toLowerCase()) : names.length === 1 ? 0 : -1;
    if (name && kind < 0) return wrong(`“${group}”: the game has no ${name}; its dice are ${names.join(", ")}.`);
    if (kind < 0) return wrong(`“${group}”: say which die, as in ${names[0]}:${faces || "5"}.`);
    const sides = game.family === "pool" ? game.kinds[kind].points.length : game.sides;
    for (const item of faces.split(",").filter(Boolean)) {
      const found = /^(\d{1,4})(?:x(\d{1,3}))?$/i.exec(item);
      if (!found) return wrong(`“${item}”: write faces as ${names[kind]}:5,5 or ${names[kind]}:5x2.`);
      const face = Number(found[1]);
      if (face < 1 || face > sides) return wrong(`A ${names[kind]} has faces 1 to ${sides}, not ${face}.`);
      for (let n = Number(found[2] ?? 1); n > 0; n--) roll[kind].push(face);
    }
    if (roll[kind].length > left[kind]) {
      return wrong(left[kind] ? `Only ${left[kind]} ${names[kind]} ${left[kind] === 1 ? "is" : "are"} left, not ${roll[kind].length}.`
        : `No ${names[kind]} is left.`);
    }
  }
  return { roll: roll.map((faces) => faces.sort((a, b) => b - a)), problem: "" };
}

/** One sentence: why the chance to win asks for another move than the points do. */
function whyPool(game, ranking, banked, target) {
  const win = ranking.moves[ranking.bestForWin];
  const score = ranking.moves[ranking.bestForScore];
  const cost = Math.abs(win.score - score.score);
  const price = cost < 0.05 ? "costs next to no points" : `costs ${cost.toFixed(1)} points on average`;
  const why = target === null ? whyFirst(game, win, score) : whySecond(game, win, score, banked + win.points, target);
  return `${why}. It ${price} and wins ${difference(win.win - score.win)} more often.`;
}

function whyFirst(game, win, score) {
  const made = Math.round(win.score);
  const act = win.dice > score.dice ? "roll more dice" : win.dice < score.dice ? "take the sure points" : "these dice lead further";
  return `A good reply to ${made} wins ${percent(game.secondChance(made, game.start, 0))}: ${act}`;
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

function whyRace(game, ranking, score, opponent, turn) {
  const win = ranking.moves[ranking.bestForWin];
  const other = ranking.moves[ranking.bestForScore];
  const gain = difference(win.win - other.win);
  const mine = game.goal - score - turn - win.points;
  const theirs = game.goal - opponent;
  const act = win.bank ? "take what you have" : other.bank ? "roll on" : win.dice > other.dice ? "roll more dice" : "keep more points";
  const why = mine > theirs && !win.bank ? "you are behind, so " : mine <= theirs && win.bank ? "you are ahead, so " : "";
  return `They need ${theirs} more and you ${Math.max(mine, 0)}: ${why}${act}. It wins ${gain} more often.`;
}
