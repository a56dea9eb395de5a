// What stays on the device: decisions that counted, and mistakes to come back to. Where the browser keeps nothing, it lasts
// as long as the page.
//
//     decisions {id: [game, seat, cost]}      mistakes {address: {game, cost, level, due}}

const KEY = "gametheory";
const DAY = 86_400_000;
const INTERVALS = [1, 3, 7, 21];

const empty = () => ({ version: 1, decisions: {}, mistakes: {} });

function read() {
  try {
    return checked(JSON.parse(localStorage.getItem(KEY))) ?? empty();
  } catch {
    return empty();
  }
}

/** Return what was read if it is of this page, else null. */
function checked(found) {
  const right = found?.version === 1 && typeof found.decisions === "object" && typeof found.mistakes === "object"
    && Object.values(found.decisions).every((row) => Array.isArray(row) && row.length === 3 && Number.isFinite(row[2]))
    && Object.values(found.mistakes).every((row) => Number.isInteger(row?.level) && Number.isFinite(row.due));
  return right ? found : null;
}

let kept = read();

/** Whether what is noted outlives the page. */
export function lasting() {
  try {
    localStorage.setItem(`${KEY}-try`, "1");
    localStorage.removeItem(`${KEY}-try`);
    return true;
  } catch {
    return false;
  }
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // It lasts as long as the page.
  }
}

/** Note a decision that counts, the first time it is made. */
export function note(id, game, seat, cost) {
  if (id in kept.decisions) return;
  kept.decisions[id] = [game, seat, cost];
  write();
}

/** Note how a position was answered: a mistake comes back, at growing intervals, until it is known. */
export function answered(address, game, cost, now = Date.now()) {
  const known = kept.mistakes[address];
  if (cost > 0) kept.mistakes[address] = { game, cost, level: 0, due: now };
  else if (known && known.level + 1 >= INTERVALS.length) delete kept.mistakes[address];
  else if (known) kept.mistakes[address] = { ...known, level: known.level + 1, due: now + DAY * INTERVALS[known.level] };
  else return;
  write();
}

/** The mistakes of a game that are to be looked at again, those due longest first. */
export function due(game, now = Date.now()) {
  return Object.entries(kept.mistakes).filter(([, row]) => row.game === game && row.due <= now)
    .sort(([, a], [, b]) => a.due - b.due).map(([address]) => address);
}

/** One rating for each game and seat: what a decision gives away on average, and how sure that is. */
export function ratings() {
  const found = new Map();
  for (const [game, seat, cost] of Object.values(kept.decisions)) {
    const key = `${game}/${seat}`;
    if (!found.has(key)) found.set(key, { game, seat, costs: [] });
    found.get(key).costs.push(cost);
  }
  return [...found.values()].map(({ game, seat, costs }) => {
    const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    const spread = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / Math.max(1, costs.length - 1);
    return { game, seat, mean, error: Math.sqrt(spread / costs.length), count: costs.length };
  });
}

export function exported() {
  return JSON.stringify(kept);
}

/** Add what another device has noted; return whether the text was such. */
export function imported(text) {
  let found = null;
  try {
    found = checked(JSON.parse(text));
  } catch {
    // Whatever it is, it is not of this page.
  }
  if (!found) return false;
  kept = { version: 1, decisions: { ...found.decisions, ...kept.decisions }, mistakes: { ...found.mistakes, ...kept.mistakes } };
  write();
  return true;
}
