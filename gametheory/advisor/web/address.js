// Addresses: what is shown, so that a reload, the way back and a link all show it again.
//
//     #advise/biscuits/second/92/roll=d6:6x3,5/keep=d6:6x3     bare values stand for the parts in their order
//     #train/biscuits/first/4711/moves=0.2    #quiz/biscuits/17    #explore/biscuits/against=92

/** Split an address into its view, the name of the game, bare values and named parts. */
export function readAddress(hash) {
  const [view = "", name = "", ...rest] = hash.replace(/^#/, "").split("/").map(decodePart);
  const bare = [];
  const parts = {};
  let problem = false;
  for (const part of rest) {
    const found = /^([a-z]{1,12})=(.{0,400})$/s.exec(part);
    if (found) parts[found[1]] = found[2];
    else bare.push(part);
    problem ||= part.length > 420;
  }
  return { view, name, bare, parts, problem };
}

function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** Write an address; parts that are empty are left out. */
export function writeAddress(view, name, bare = [], parts = {}) {
  const named = Object.entries(parts).filter(([, value]) => value !== "" && value !== null).map(([key, value]) => `${key}=${encode(value)}`);
  return `#${[view, name, ...bare].map(encode).concat(named).join("/")}`;
}

/** What is easily read is left as it is. */
function encode(text) {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2B", "+");
}

let waiting = null;

/** Let the address say what is shown; many changes at once are written as one, for browsers slow down those who write often. */
export function keepAddress(address) {
  if (waiting === null) setTimeout(flushAddress, 60);
  waiting = { address, from: location.hash };
}

/** Write now what waits to be written, unless somebody has gone elsewhere meanwhile. */
export function flushAddress() {
  if (waiting && waiting.from === location.hash && waiting.address !== location.hash) history.replaceState(null, "", waiting.address);
  waiting = null;
}
