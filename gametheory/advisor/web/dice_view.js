// Dice on the screen: tapping in a roll, and lists of ranked moves. Used by more than one view.

import { arrows, h, percent, plural } from "./dom.js";

const PIPS = {
  1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 2], [1, 0], [1, 2], [2, 0], [2, 2]],
};

/** Draw one die: pips on a d6, a number on any other. */
export function dieFace(kind, face) {
  if (kind.name !== "d6") {
    return h("span", { class: "die number", "aria-hidden": "true" }, String(face), h("small", {}, kind.name));
  }
  const pips = PIPS[face].map(([row, column]) => h("i", { class: `r${row} c${column}` }));
  return h("span", { class: "die pips", "aria-hidden": "true" }, pips);
}

/** Draw dice that are only looked at, with a text for those who cannot see them. */
export function diceShown(game, roll) {
  const faces = roll.flatMap((shown, kind) => shown.map((face) => dieFace(game.kinds[kind], face)));
  return h("span", { class: "dice small" }, faces, h("span", { class: "unseen" }, game.writeRoll(roll)));
}

/** Buttons for every face of every kind that is left, and the dice tapped so far, which a tap takes away again. */
export function rollEntry(game, left, roll, onAdd, onRemove) {
  const rows = game.kinds.map((kind, k) => {
    if (!left[k]) return null;
    const full = roll[k].length >= left[k];
    const buttons = Array.from({ length: kind.sides }, (_, i) => i + 1).map((face) => {
      const times = roll[k].filter((other) => other === face).length;
      return h("button", {
        type: "button", id: `add-${kind.name}-${face}`, class: "face", disabled: full,
        "aria-label": `add a ${kind.name} showing ${face}${game.faceNote(k, face)}${times ? `, ${times} in the roll` : ""}`,
        onclick: () => onAdd(k, face),
      }, dieFace(kind, face), times ? h("b", { class: "times", "aria-hidden": "true" }, `×${times}`) : null);
    });
    return h("div", { class: "kind", role: "group", "aria-label": kind.name },
      h("p", { class: "kind-name" }, h("strong", {}, kind.name), ` ${roll[k].length} of ${left[k]}`),
      arrows(h("div", { class: "faces" }, buttons), true));
  });
  const complete = left.every((n, k) => n === roll[k].length);
  const shown = roll.flatMap((faces, k) => faces.map((face, i) =>
    h("button", {
      type: "button", id: `take-${game.kinds[k].name}-${i}`, class: "face",
      "aria-label": `take the ${game.kinds[k].name} showing ${face} away`, onclick: () => onRemove(k, i),
    }, dieFace(game.kinds[k], face))));
  return [
    // A complete roll makes room for its moves; taking a die away brings the faces back.
    complete ? null : h("div", { class: "entry" }, rows),
    shown.length
      ? arrows(h("div", { class: "dice tapped", role: "group", "aria-label": "the roll; tap a die to take it away" }, shown), true) : null,
  ];
}

/** The ranked moves: what to keep, the chance to win as a bar, the expected score; a tap plays the move. */
export function moveList(game, ranking, shown, onPlay, onMore) {
  const { moves, bestForWin, bestForScore } = ranking;
  const places = moves.slice(0, shown).map((_, place) => place);
  if (!places.includes(bestForScore)) places.push(bestForScore);
  const rows = places.map((place) => {
    const move = moves[place];
    const badges = [];
    if (place === bestForWin) badges.push(h("span", { class: "badge win" }, "best to win"));
    if (place === bestForScore) badges.push(h("span", { class: "badge score" }, "best for points"));
    const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "fill" }));
    bar.firstChild.style.width = `${100 * move.win}%`;
    const label = [moveText(game, move), ...badges.map((badge) => badge.textContent)].join(", ");
    const row = h("button", { type: "button", class: "move", id: `move-${place}`, "aria-label": label, onclick: () => onPlay(place) },
      h("span", { class: "what" },
        h("span", { class: "rank" }, `${place + 1}.`), diceShown(game, move.keep),
        h("span", { class: "then" }, game.afterwards(move)), badges),
      h("strong", { class: "chance" }, percent(move.win)),
      bar,
      h("span", { class: "expected" }, game.expectation(move)));
    return h("li", {}, row);
  });
  const hidden = moves.length - Math.min(shown, moves.length);
  return [
    h("ol", { class: "moves", "aria-label": "moves, best first" }, rows),
    hidden > 0 ? h("button", { type: "button", id: "more-moves", class: "quiet", onclick: onMore },
      `Show more of ${plural(moves.length, "move")}`) : null,
  ];
}

/** A move in words. */
export function moveText(game, move) {
  return `keep ${game.writeRoll(move.keep)}, ${game.afterwards(move)}: ${percent(move.win)} to win, ${game.expectation(move)}`;
}
