// The page: the games it carries, its views, and the address that names what is shown.

import { flushAddress, readAddress, writeAddress } from "./address.js";
import { Advise } from "./advise.js";
import { h } from "./dom.js";
import { Explore } from "./explore.js";
import { games } from "./families.js";
import { Quiz, drawPosition } from "./quiz.js";
import { freshSeed } from "./random.js";
import { Train } from "./train.js";
import { newTraining } from "./training.js";
import { words } from "./words.js";

const SEATS = Object.keys(words.seats);

/** Read a whole number of up to nine digits, or return null. */
const seedOf = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);

function go(...parts) {
  flushAddress();
  const before = location.hash;
  location.hash = writeAddress(...parts);
  if (location.hash === before) show();
}

const views = {
  advise(game, place, address) {
    const advise = new Advise(game, place);
    if (!advise.restore(address)) advise.state.entry = { ...advise.state.entry, note: words.leftOut };
    advise.draw();
  },
  train(game, place, { bare: [seat, seed, ...rest], parts, problem }) {
    const wrong = problem || rest.length > 0 || (seat !== undefined && !SEATS.includes(seat)) || (seed !== undefined && seedOf(seed) === null);
    const number = wrong || seed === undefined ? freshSeed() : seedOf(seed);
    new Train(game, place, wrong || seat === undefined ? "first" : seat, number, wrong ? {} : parts, wrong ? words.afresh : "",
      (newSeat, newSeed, newParts) => go("train", game.name, [newSeat, newSeed ?? freshSeed()], newParts)).draw();
  },
  quiz(game, place, { bare: [number] }) {
    new Quiz(game, place, seedOf(number) ?? freshSeed(), (next) => go("quiz", game.name, [next])).draw();
  },
  explore(game, place, address) {
    new Explore(game, place, address.parts).draw();
  },
};

function show() {
  let address = readAddress(location.hash);
  const wrong = (location.hash.length > 1) && !(Object.hasOwn(views, address.view) && (games.has(address.name) || !address.name));
  const view = Object.hasOwn(views, address.view) ? address.view : "advise";
  const name = games.has(address.name) ? address.name : games.keys().next().value;
  if (wrong) address = { view, name, bare: [], parts: {}, problem: true };
  const game = games.get(name);
  for (const key of Object.keys(views)) {
    const button = document.getElementById(`view-${key}`);
    if (key === view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  document.getElementById("game").value = name;
  document.getElementById("about").textContent = `${game.about} ${words.made(game.version, game.format)}`;
  const scoring = game.scoring();
  document.getElementById("scoring").replaceChildren(...(scoring.length ? [h("details", {}, h("summary", {}, words.scoring),
    h("table", { class: "account" }, h("tbody", {}, scoring.map(([dice, worth]) =>
      h("tr", {}, h("th", { scope: "row" }, dice), h("td", {}, String(worth)))))))] : []));
  document.title = words.title(words.views[view], name);
  const place = h("div", { id: "view", class: `view ${view}`, "data-game": name });
  document.getElementById("view").replaceWith(place);
  views[view](game, place, address);
}

document.getElementById("game").append(...[...games.keys()].map((name) => h("option", { value: name }, name)));
document.getElementById("game").addEventListener("change", (event) => {
  const { view } = readAddress(location.hash);
  go(Object.hasOwn(views, view) ? view : "advise", event.target.value);
});
document.querySelector("nav").append(...Object.keys(views).map((key) => h("button", {
  type: "button", id: `view-${key}`, onclick: () => go(key, document.getElementById("game").value),
}, words.views[key])));
window.addEventListener("hashchange", show);
window.addEventListener("pagehide", flushAddress);
// A page that lies beside a manifest keeps itself for offline use.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("worker.js");
// For whoever wants to ask the tables from the console, and for the tests.
window.gametheory = { games, newTraining, drawPosition };
show();
