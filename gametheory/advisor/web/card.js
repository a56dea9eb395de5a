// A position and two moves as a picture to keep or to send.

import { percent } from "./dom.js";
import { words } from "./words.js";

const [WIDTH, HEIGHT] = [900, 480];

/** Draw the card, and let the browser save it. */
export function saveCard(game, position, tray, best, other) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext("2d");
  const write = (text, y, size, weight = "400", colour = "#1d2330") => {
    pen.fillStyle = colour;
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.fillText(text, 40, y, WIDTH - 80);
  };
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  write(game.name, 70, 40, "700");
  write(game.told(position).join(" · "), 115, 26, "400", "#5b6472");
  write(game.writeTray(tray), 175, 32, "600");
  const lines = best === other ? [[words.best, best]] : [[words.best, best], [words.yours, other]];
  lines.forEach(([who, move], i) => {
    const y = 255 + 100 * i;
    write(`${who}: ${game.writeRoll(move.keep)}, ${game.afterwards(move)}`, y, 30, i ? "400" : "700");
    write(words.toWin(percent(move.win)), y + 38, 28, "400", i ? "#5b6472" : "#1f63c9");
  });
  write(`gametheory ${game.version}`, HEIGHT - 25, 18, "400", "#5b6472");
  canvas.toBlob((blob) => saveFile(blob, `${game.name}.png`));
}

/** Let the browser save a file. */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
