// The page: the games it carries, the three views, and the address that names what is shown.
//
//     #advise/biscuits    #train/biscuits/first/4711    #explore/biscuits

import { Advise } from "./advise.js";
import { h } from "./dom.js";
import { Explore } from "./explore.js";
import { games } from "./families.js";
import { freshSeed } from "./random.js";
import { Train } from "./train.js";
import { newTraining } from "./training.js";

const VIEWS = { advise: "Advise", train: "Train", explore: "Explore" };
const advisers = new Map();

/** Read the address; what makes no sense is left out, and `problem` is true where something was. */
export function readAddress(hash) {
  const [view, name, seat, seed, ...rest] = hash.replace(/^#/, "").split("/").map(decodePart);
  const found = { view: "advise", name: games.keys().next().value, seat: "first", seed: null, problem: false };
  if (!hash.replace(/^#/, "")) return found;
  if (Object.hasOwn(VIEWS, view)) found.view = view;
  else found.problem = true;
  if (games.has(name)) found.name = name;
  else if (name !== undefined) found.problem = true;
  if (seat === "first" || seat === "second") found.seat = seat;
  else if (seat !== undefined) found.problem = true;
  if (/^\d{1,9}$/.test(seed ?? "")) found.seed = Number(seed);
  else if (seed !== undefined) found.problem = true;
  if (rest.length) found.problem = true;
  if (found.problem) found.seed = null;
  return found;
}

function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function writeAddress(...parts) {
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

function go(...parts) {
  location.hash = writeAddress(...parts);
}

function show() {
  const address = readAddress(location.hash);
  const { view, name, seat } = address;
  if (address.problem && view !== "train") history.replaceState(null, "", writeAddress(view, name));
  const game = games.get(name);
  for (const key of Object.keys(VIEWS)) {
    const button = document.getElementById(`view-${key}`);
    if (key === view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  document.getElementById("game").value = name;
  document.getElementById("about").textContent = game.about;
  document.title = `${VIEWS[view]}: ${name}`;
  const place = h("div", { id: "view" });
  document.getElementById("view").replaceWith(place);
  if (view === "advise") {
    // A position at the table outlives a look at the other views.
    if (!advisers.has(name)) advisers.set(name, new Advise(game, place));
    advisers.get(name).place = place;
    advisers.get(name).draw();
  } else if (view === "train") {
    const seed = address.seed ?? freshSeed();
    if (address.seed === null) history.replaceState(null, "", writeAddress("train", name, seat, seed));
    const note = address.problem ? "The address named no game, so here is a new one." : "";
    new Train(game, place, seat, seed, note, (newSeat, newSeed) => {
      const before = location.hash;
      go("train", name, newSeat, newSeed ?? freshSeed());
      if (location.hash === before) show();
    }).draw();
  } else {
    new Explore(game, place).draw();
  }
}

document.getElementById("game").append(...[...games.keys()].map((name) => h("option", { value: name }, name)));
document.getElementById("game").addEventListener("change", (event) => go(readAddress(location.hash).view, event.target.value));
for (const key of Object.keys(VIEWS)) {
  document.getElementById(`view-${key}`).addEventListener("click", () => go(key, document.getElementById("game").value));
}
window.addEventListener("hashchange", show);
// For whoever wants to ask the tables from the console, and for the tests.
window.gametheory = { games, newTraining };
show();
