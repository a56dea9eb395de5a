// Dice on the screen: the dice on the table, the keys they are entered by, and lists of ranked moves.

import { arrows, count, h, percent, settled } from "./dom.js";
import { words } from "./words.js";

const PIPS = {
  1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 2], [1, 0], [1, 2], [2, 0], [2, 2]],
};
const HOLD = 450;
const TWICE = 350;

/** Draw one die: pips on a d6, a number on any other, the name of its kind where it is not entered yet. */
export function dieFace(kind, face) {
  if (face === null) return h("span", { class: "die open", "aria-hidden": "true" }, h("small", {}, kind.name));
  if (kind.name !== "d6") {
    return h("span", { class: "die number", "aria-hidden": "true" }, String(face), h("small", {}, kind.name));
  }
  const pips = PIPS[face].map(([row, column]) => h("i", { class: `r${row} c${column}` }));
  return h("span", { class: "die pips", "aria-hidden": "true" }, pips);
}

/** Draw dice that are only looked at, with a text for those who cannot see them. */
export function diceShown(game, roll) {
  if (game.listed) return h("span", { class: "text" }, game.writeRoll(roll));
  const faces = roll.flatMap((shown, kind) => shown.map((face) => dieFace(game.kinds[kind], face)));
  return h("span", { class: "dice small" }, faces, h("span", { class: "unseen" }, game.writeRoll(roll)));
}

/**
 * The dice on the table, in as many places as there can be: those kept are lifted and the others dim. `keep` is null where
 * nothing is kept yet; without `onTap` they are only looked at. `label` says what a tap does.
 */
export function table(game, left, tray, keep, { onTap, label, most = 0, title, id = "die" }) {
  const kept = keep ? keep.map((faces) => [...faces]) : null;
  const dims = keep?.some((faces) => faces.length);
  const dice = game.tableDice(left, tray);
  const shown = dice.map(({ kind, face }, i) => {
    const at = kept && face !== null ? kept[kind].indexOf(face) : -1;
    if (at >= 0) kept[kind].splice(at, 1);
    const look = face === null || !kept ? "" : at >= 0 ? " on" : dims ? " off" : "";
    const { name } = game.kinds[kind];
    if (face === null || !onTap) {
      return h("span", { class: `face${look}` }, dieFace(game.kinds[kind], face), h("span", { class: "unseen" },
        face === null ? words.open(name) : words.dieShowing(name, face)));
    }
    return h("button", {
      type: "button", id: `${id}-${i}`, class: `face${look}`, "aria-pressed": kept ? String(at >= 0) : null,
      onclick: () => onTap({ kind, face }, at >= 0),
    }, dieFace(game.kinds[kind], face), h("span", { class: "unseen" }, label(name, face)));
  });
  // Places that are empty now keep what lies below where it is.
  for (let i = dice.length; i < most; i++) shown.push(h("span", { class: "face filler", "aria-hidden": "true" }));
  return arrows(h("div", { class: "table", role: "group", "aria-label": title }, shown), Boolean(onTap));
}

/** A keep with one die more, or one fewer. */
export function toggled(keep, { kind, face }, on) {
  return keep.map((faces, k) => {
    if (k !== kind) return faces;
    if (!on) return [...faces, face].sort((a, b) => b - a);
    const at = faces.indexOf(face);
    return faces.filter((_, i) => i !== at);
  });
}

/** The keys that answer what is asked of the roll; there is always room for the most of them. */
export function pad(game, asked, onKey) {
  const keys = (asked?.keys ?? []).map(({ label, said, face, tray, hold }, i) => {
    let timer = null;
    let held = false;
    const release = () => clearTimeout(timer);
    return h("button", {
      type: "button", id: `key-${i}`, class: "key",
      onpointerdown: () => {
        held = false;
        if (hold) timer = setTimeout(() => { held = true; onKey(hold); }, HOLD);
      },
      onpointerup: release, onpointerleave: release, onpointercancel: release,
      onclick: (event) => {
        // The second tap of two is not meant for the next question, whose keys lie where the old ones were.
        const now = event.timeStamp;
        const twice = asked.once && event.detail > 1 && now - pad.last < TWICE;
        pad.last = now;
        if (!held && !twice) onKey(tray);
      },
    }, face && game.kinds[face.kind].name === "d6" ? dieFace(game.kinds[face.kind], face.face) : h("span", { "aria-hidden": said ? "true" : null }, label),
    said ? h("span", { class: "unseen" }, said) : null);
  });
  for (let i = keys.length; i < game.padSize; i++) keys.push(h("span", { class: "key filler", "aria-hidden": "true" }));
  return h("div", { class: "pad" },
    h("p", { class: "asked", id: "asked" }, asked?.text ?? words.entered),
    arrows(h("div", { class: "keys", role: "group", "aria-labelledby": "asked" }, keys)));
}
pad.last = 0;

/** Moves as rows: those that win for certain, or cannot win, are one row. */
function rows({ moves }) {
  const found = [];
  const alike = new Map();
  moves.forEach((move, place) => {
    if (settled(move.win)) {
      const sure = move.win > 0.5;
      if (alike.has(sure)) {
        alike.get(sure).more++;
        return;
      }
      alike.set(sure, { place, more: 0, sure });
      found.push(alike.get(sure));
    } else {
      found.push({ place, more: 0 });
    }
  });
  return found;
}

/** The ranked moves, best first: what each keeps, wins, gives away and expects; a tap selects one and plays nothing. */
export function moveList(game, ranking, shown, selected, onSelect, onMore) {
  const { moves, bestForWin, bestForScore } = ranking;
  const all = rows(ranking);
  const chosen = all.slice(0, shown);
  for (const place of [bestForScore, selected]) {
    if (place >= 0 && !chosen.some((row) => row.place === place)) chosen.push({ place, more: 0 });
  }
  const best = moves[bestForWin].win;
  const most = Math.max(...chosen.map(({ place }) => best - moves[place].win), 1e-6);
  const listed = chosen.map(({ place, more, sure }) => {
    const move = moves[place];
    const loss = best - move.win;
    const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "fill" }));
    bar.firstChild.style.width = `${(100 * loss) / most}%`;
    return h("li", {}, h("button", {
      type: "button", class: "move", id: `move-${place}`, "aria-pressed": String(place === selected), onclick: () => onSelect(place),
    },
    h("span", { class: "what" },
      h("span", { class: "rank" }, `${place + 1}.`), diceShown(game, move.keep), h("span", { class: "then" }, game.afterwards(move)),
      place === bestForWin ? h("span", { class: "badge win" }, words.bestToWin) : null,
      place === bestForScore ? h("span", { class: "badge score" }, words.bestForPoints) : null,
      more ? h("span", { class: "then" }, words.alike(more, sure)) : null),
    h("strong", { class: "chance" }, percent(move.win), h("span", { class: "unseen" }, ` ${words.columns.win}`)),
    h("span", { class: "loss" }, loss > 0 ? `−${count(loss)}` : "", h("span", { class: "unseen" }, ` ${words.columns.loss}`)), bar,
    h("span", { class: "expected" }, game.expectation(move))));
  });
  return [
    h("p", { class: "columns", "aria-hidden": "true" }, h("span", {}, words.columns.move), h("span", {}, words.columns.win),
      h("span", {}, words.columns.loss)),
    h("ol", { class: "moves", "aria-label": words.moves }, listed),
    all.length > shown ? h("button", { type: "button", id: "more-moves", class: "quiet", onclick: onMore }, words.moreMoves(moves.length)) : null,
  ];
}
