// What the page carries: the solved games, the tolerances that Python ranks moves by, and numbers as text.

export const data = JSON.parse(document.getElementById("data").textContent);

/** Values no further apart than this count as equal. */
export const TIED = data.tied;

/** A move that is worse by more than this is another decision. */
export const DISAGREE = data.disagree;

/** Read the numbers that the page carries as text. */
export function decode(text) {
  return new Float64Array(bytes(text));
}

/** The same for numbers of single precision, which are only drawn. */
export function decodeSingle(text) {
  return new Float32Array(bytes(text));
}

/** The same for whole numbers. */
export function decodeWhole(text) {
  return new Int32Array(bytes(text));
}

function bytes(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;
}
