// A game as the page knows it. Each family of games is one class, named in families.js; the views and the trainer ask a
// game for these members and for nothing else, and never which game it is.
//
// A roll, or a keep, has one list for each kind of dice: the faces shown, descending. A position is a plain object, seen
// by the player to move; an entry is the same as it stands in the form of Advise, with what was typed as it was typed.
// Both are of the game's own making, but both say in `left` how many dice of each kind are to be thrown, and an entry
// says in `note` what was done last, which is wiped out once anything is changed by hand.
//
// The game
//     name, about             what it is called; its rules in a sentence or two
//     kinds                   its dice, each with name and sides
//     start                   the position before the first roll
//     chance(position)        the chance to win of the player to move, before the roll
//     rank(position, roll)    {moves, bestForWin, bestForScore}: every distinct move, best first, and the places of the
//                             best two; no moves are a bust. A move has keep, win (the chance), score (what is
//                             expected) and way (a place in `ways`); the rest of it is the game's own
//     after(position, move)   {position, passes, result}: what becomes of a position after a move, or after a bust where
//                             the move is null; whether the other player is to move now; and what the game brought the
//                             player who moved, null until it is over
//
// Dice and moves in words
//     writeDice(left), writeRoll(roll)
//     readRoll(text, left)    {roll, problem}: what was typed, or what is wrong with it
//     example(left)           a roll as one may type it
//     faceNote(kind, face)    what the dice pad says of a face beside its number
//     afterwards(move), expectation(move)
//     ways                    what may be done with the dice kept: {id, label, how}, label on the button, how in a sentence
//     refusal(keep, way, scores)  why there is no such move; `scores` says that the dice may be kept in another way
//
// Advise
//     entry(before)           a new entry, after another one if there was one
//     form(entry)             {choices, fields, steps, position, card}: choices {id, label, options}, fields {id, label,
//                             problem, hint}, steps {least, most} for the dice left of each kind (none to hide them),
//                             the position unless a field is wrong, and a card that takes the place of the roll, or null:
//                             {title, id, text, fields, end, button: {id, label, disabled, entry}}
//     standing(position)      what there is to say before the roll
//     why(position, ranking)  one sentence: why the chance to win asks for another move than the points do
//     take(entry, move)       the entry after a move
//     bust(entry)             the card after a roll without moves
//
// Train
//     told(position)          what a player wants to know before a decision, in a few short texts
//     tell(mine, position, roll, move)  a line of the story [before, roll, after], or null; the move is null for a bust
//     outcome(position, mine) how it ended, `mine` where I made the last move
//
// Explore
//     exploring               what is chosen at first: a plain object
//     explore(chosen, width, change)  the pictures; change({...}) chooses other things

export class Game {
  constructor(data) {
    this.name = data.name;
    this.about = data.about;
  }

  writeDice(counts) {
    const terms = counts.map((n, kind) => (n ? `${n > 1 ? n : ""}${this.kinds[kind].name}` : "")).filter(Boolean);
    return terms.join("+") || "none";
  }

  /** Read a typed roll; return it, or what is wrong with it. */
  readRoll(text, left) {
    const names = this.kinds.map((kind) => kind.name);
    const roll = this.kinds.map(() => []);
    const wrong = (problem) => ({ problem });
    for (const group of text.trim().split(/\s+/).filter(Boolean)) {
      const [, name, faces] = /^(?:(d\d+):)?(.*)$/i.exec(group);
      const kind = name ? names.indexOf(name.toLowerCase()) : names.length === 1 ? 0 : -1;
      if (name && kind < 0) return wrong(`“${group}”: the game has no ${name}; its dice are ${names.join(", ")}.`);
      if (kind < 0) return wrong(`“${group}”: say which die, as in ${names[0]}:${faces || "5"}.`);
      const { sides } = this.kinds[kind];
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

  faceNote() {
    return "";
  }

  refusal(keep) {
    return `${this.writeRoll(keep)}: not all of these dice score. Keep only dice that do.`;
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
