// Seeded dice: mulberry32, one stream for each player, so that a seed is a game. The trainer in the terminal
// has the same (dice.py).

export class Stream {
  constructor(seed, player) {
    this.state = (seed ^ (player ? 0x9e3779b9 : 0)) | 0;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Draw one of several by weight; return its place. */
  draw(weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    let number = 0n;
    for (let bits = 0; bits < total.toString(2).length + 32; bits += 32) number = (number << 32n) | BigInt(this.next());
    const bits = BigInt(32 * Math.ceil((total.toString(2).length + 32) / 32));
    const drawn = (number * total) >> bits;
    let sum = 0n;
    return weights.findIndex((weight) => { sum += weight; return drawn < sum; });
  }

  /** Throw so many dice of so many sides; faces descending. */
  roll(count, sides) {
    const faces = Array.from({ length: count }, () => Math.floor((this.next() * sides) / 2 ** 32) + 1);
    return faces.sort((a, b) => b - a);
  }
}

export function freshSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}
