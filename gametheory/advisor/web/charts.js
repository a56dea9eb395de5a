// Charts: lines and heat maps as drawings, read off by pointer, finger or arrow keys.

import { h, svg } from "./dom.js";
import { words } from "./words.js";

const MARGIN = { left: 44, right: 18, top: 24, bottom: 36 };

/** Round steps for an axis: about `count` of them between two numbers. */
export function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= raw && (n >= 10 || n !== 2.5 * power));
  const found = [];
  for (let at = Math.ceil(low / step - 1e-6) * step; at <= high + step * 1e-6; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

function frame(spec, width, height, x, y) {
  const xTicks = spec.xTicks ?? ticks(...spec.xRange, width / 70);
  const yTicks = spec.yTicks ?? ticks(...spec.yRange, height / 45);
  const { left, right, top, bottom } = MARGIN;
  return [
    yTicks.map((tick) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      svg("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, spec.yFormat(tick)),
    ]),
    xTicks.map((tick) => svg("text", { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" }, String(tick))),
    svg("text", { class: "axis", x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, spec.xLabel),
    svg("text", { class: "axis", x: 0, y: 12 }, spec.yLabel),
    svg("line", { class: "base", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    svg("line", { class: "base", x1: left, x2: left, y1: top, y2: height - bottom }),
  ];
}

/** Wrap a drawing: heading, what it shows, legend, the drawing, and a line that says what the pointer is on. */
function figure(spec, drawing, legend) {
  const readout = h("p", { class: "readout", id: `${spec.id}-readout`, "aria-live": "polite" }, spec.prompt);
  const element = h("figure", { id: spec.id, class: "card" },
    h("figcaption", {}, h("h2", {}, spec.title), spec.text ? h("p", { class: "hint" }, spec.text) : null),
    spec.controls ?? null, legend, drawing, readout);
  return { element, readout };
}

/** Let pointer, finger and arrow keys pick a place: `pick(x, y)` by pixels, `move(dx, dy)` by keys. */
function pickable(drawing, pick, move) {
  const point = (event) => {
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    pick((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  };
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("pointerdown", point);
  drawing.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(...step);
  });
}

function canvas(spec, width, height, children) {
  return svg("svg", {
    class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", tabindex: 0, id: `${spec.id}-chart`,
    "aria-label": words.arrowKeys(spec.title), "aria-describedby": `${spec.id}-readout`,
  }, children);
}

/** Draw lines over the same xs. spec: id, title, text, xs, series [{name, look, ys}], xLabel, yLabel, yFormat, read(i), marks. */
export function lineChart(spec, width) {
  const height = Math.round(Math.min(300, Math.max(210, width * 0.5)));
  const { left, right, top, bottom } = MARGIN;
  const { xs, series } = spec;
  const most = spec.yMost ?? Math.max(...series.flatMap((line) => line.ys)) * 1.05;
  const x = (value) => left + ((value - xs[0]) / (xs.at(-1) - xs[0] || 1)) * (width - left - right);
  const y = (value) => height - bottom - (value / most) * (height - top - bottom);
  const lines = series.map((line) => svg("path", {
    class: `line-of ${line.look}`, d: line.ys.map((value, i) => `${i ? "L" : "M"}${x(xs[i]).toFixed(1)} ${y(value).toFixed(1)}`).join(""),
  }));
  const cross = svg("line", { class: "cross", y1: top, y2: height - bottom, visibility: "hidden" });
  const dots = series.map((line) => svg("circle", { class: `dot ${line.look}`, r: 4, visibility: "hidden" }));
  const all = { ...spec, xRange: [xs[0], xs.at(-1)], yRange: [0, most] };
  const drawing = canvas(spec, width, height, [frame(all, width, height, x, y), lines, cross, dots]);
  const legend = series.length > 1
    ? h("ul", { class: "legend" }, series.map((line) => h("li", { class: line.look }, line.name))) : null;
  const { element, readout } = figure(spec, drawing, legend);
  let at = null;
  const show = (i) => {
    at = Math.max(0, Math.min(xs.length - 1, i));
    cross.setAttribute("x1", x(xs[at]));
    cross.setAttribute("x2", x(xs[at]));
    cross.removeAttribute("visibility");
    dots.forEach((dot, k) => {
      dot.setAttribute("cx", x(xs[at]));
      dot.setAttribute("cy", y(series[k].ys[at]));
      dot.removeAttribute("visibility");
    });
    readout.textContent = spec.read(at);
  };
  pickable(drawing, (px) => {
    const value = xs[0] + ((px - left) / (width - left - right)) * (xs.at(-1) - xs[0]);
    show(xs.reduce((best, other, i) => (Math.abs(other - value) < Math.abs(xs[best] - value) ? i : best), 0));
  }, (dx, dy) => show(at === null ? Math.floor(xs.length / 2) : at + dx - dy));
  return element;
}

/**
 * Draw a grid of cells. spec: id, title, text, xs, rows [labels], cell(row, column) -> {look, strength, mark} or null,
 * read(row, column), xLabel, yLabel, legend [[look, text]].
 */
export function heatMap(spec, width) {
  const { left, right, top, bottom } = MARGIN;
  const { xs, rows } = spec;
  const cellWidth = (width - left - right) / xs.length;
  const cellHeight = Math.max(11, Math.min(22, 320 / rows.length));
  const height = top + bottom + cellHeight * rows.length;
  const x = (value) => left + ((value - xs[0]) / (xs[1] - xs[0] || 1) + 0.5) * cellWidth;
  const cells = [];
  rows.forEach((_, r) => xs.forEach((_, c) => {
    const cell = spec.cell(r, c);
    if (!cell) return;
    const place = { x: (left + c * cellWidth).toFixed(2), y: (top + r * cellHeight).toFixed(2) };
    cells.push(svg("rect", {
      ...place, width: (cellWidth + 0.3).toFixed(2), height: (cellHeight + 0.3).toFixed(2), class: `cell ${cell.look}`,
      "fill-opacity": cell.strength.toFixed(3),
    }));
    if (cell.mark) {
      cells.push(svg("circle", {
        class: "mark", cx: left + (c + 0.5) * cellWidth, cy: top + (r + 0.5) * cellHeight, r: Math.min(2.2, cellWidth / 3),
      }));
    }
  }));
  const every = Math.ceil(14 / cellHeight);
  const labels = rows.map((label, r) => (r % every ? null
    : svg("text", { class: "tick", x: left - 6, y: top + (r + 0.5) * cellHeight + 4, "text-anchor": "end" }, String(label))));
  const cursor = svg("rect", { class: "cursor", width: cellWidth, height: cellHeight, visibility: "hidden" });
  const all = { ...spec, xRange: [xs[0], xs.at(-1)], yTicks: [], yFormat: String };
  const drawing = canvas(spec, width, height, [frame(all, width, height, x, () => 0), labels, cells, cursor]);
  const legend = h("ul", { class: "legend" }, spec.legend.map(([look, text]) => h("li", { class: look }, text)));
  const { element, readout } = figure(spec, drawing, legend);
  let at = null;
  const show = (r, c) => {
    at = [Math.max(0, Math.min(rows.length - 1, r)), Math.max(0, Math.min(xs.length - 1, c))];
    cursor.setAttribute("x", left + at[1] * cellWidth);
    cursor.setAttribute("y", top + at[0] * cellHeight);
    cursor.removeAttribute("visibility");
    readout.textContent = spec.read(...at);
  };
  pickable(drawing, (px, py) => show(Math.floor((py - top) / cellHeight), Math.floor((px - left) / cellWidth)),
    (dx, dy) => (at === null ? show(Math.floor(rows.length / 2), Math.floor(xs.length / 2)) : show(at[0] + dy, at[1] + dx)));
  return element;
}

/** Where the numbers first and last rise above some least: [from, to). */
export function trim(numbers, least) {
  const list = Array.from(numbers);
  const from = list.findIndex((n) => n > least);
  return from < 0 ? [0, list.length] : [from, list.findLastIndex((n) => n > least) + 1];
}
