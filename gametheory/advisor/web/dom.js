// Making elements, and writing numbers the same way everywhere.

import { TIED } from "./data.js";
import { words } from "./words.js";

/** Make an element: attributes by name, listeners as on…, children as nodes or text. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put new content in place of the old, leaving the focus, and the caret, where they were. */
export function replaceContent(parent, children, fallbackFocus) {
  const active = document.activeElement;
  const inside = active && parent.contains(active);
  const id = inside ? active.id : null;
  const caret = active instanceof HTMLInputElement && active.type === "text" ? active.selectionStart : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (id === null) return;
  const same = id && document.getElementById(id);
  const again = same && !same.disabled ? same : document.getElementById(fallbackFocus);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (caret !== null && again.type === "text") again.setSelectionRange(caret, caret);
}

/** Listen to the first tap only: the second of two was meant for what lay there before. */
export function firstTap(listener) {
  return (event) => { if (event.detail < 2) listener(event); };
}

/** Tell a screen reader what has changed. */
export function say(text) {
  const place = document.getElementById("said");
  if (place.textContent !== text) place.textContent = text;
}

/** Let the arrow keys move along the buttons of a group, which is then one stop for the tab key. */
export function arrows(group, oneStop = true) {
  const buttons = [...group.querySelectorAll("button:not(:disabled)")];
  if (oneStop) buttons.forEach((button, i) => { button.tabIndex = i ? -1 : 0; });
  group.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!step || !next) return;
    event.preventDefault();
    next.focus();
  });
  return group;
}

/** A chance to three significant places near 0 and 1, to a tenth of a percent between. */
export function percent(chance) {
  const edge = Math.min(chance, 1 - chance);
  if (edge <= 1e-12) return chance > 0.5 ? "100%" : "0%";
  if (edge < 0.00005) return chance > 0.5 ? ">99.99%" : "<0.01%";
  return `${(100 * chance).toFixed(edge < 0.005 ? 2 : 1)}%`;
}

/** Whether a chance is none, or sure. */
export function settled(chance) {
  return Math.min(chance, 1 - chance) <= 1e-12;
}

/** A difference of two chances: how many games in a hundred. */
export function inHundred(chance) {
  if (chance <= TIED) return words.nothing;
  if (chance < 0.00005) return words.hardly;
  return words.inHundred(count(chance));
}

/** The same as a bare number. */
export function count(chance) {
  return (100 * chance).toFixed(Math.abs(chance) < 0.005 ? 2 : 1);
}

/** The same with its sign. */
export function signed(chance) {
  const size = Math.abs(chance);
  return `${chance < 0 ? "−" : "+"}${(100 * size).toFixed(1)}`;
}

/** Two chances as games won in a hundred, with as many places as tell them apart. */
export function apart(mine, best) {
  const places = [1, 2, 3].find((n) => (100 * mine).toFixed(n) !== (100 * best).toFixed(n)) ?? 3;
  return [(100 * mine).toFixed(places), (100 * best).toFixed(places)];
}

export function points(score, unit = 1) {
  return unit >= 10 ? String(Math.round(score)) : score.toFixed(score >= 1000 ? 0 : 1);
}

/** A field with its label, and what is wrong with it beside it. */
export function field(id, label, value, problem, onChange, hint = "", attributes = {}) {
  const note = problem || hint;
  return h("div", { class: problem ? "field wrong" : "field" },
    h("label", { for: id }, label),
    h("input", {
      id, type: "text", value, autocomplete: "off", inputmode: "numeric", maxlength: 200,
      "aria-invalid": problem ? "true" : null, "aria-describedby": note ? `${id}-note` : null,
      oninput: (event) => onChange(event.target.value), ...attributes,
    }),
    note && h("p", { id: `${id}-note`, class: problem ? "problem" : "hint" }, note));
}

/** A choice of one from a few, as radio buttons that look like a switch. */
export function choice(name, legend, options, chosen, onChange) {
  return h("fieldset", { class: "choice" },
    h("legend", {}, legend),
    h("div", { class: "switch" }, options.map(([value, label]) =>
      h("label", {},
        h("input", {
          type: "radio", name, value, id: `${name}-${value}`, checked: value === chosen, onchange: () => onChange(value),
        }),
        h("span", {}, label)))));
}

/** Read a whole number, or return null. */
export function wholeNumber(text) {
  const found = /^\s*([-−]?)(\d{1,6})\s*$/.exec(text);
  return found ? Number(found[2]) * (found[1] ? -1 : 1) : null;
}
