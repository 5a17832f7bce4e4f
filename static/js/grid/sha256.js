/**
 * SHA-256 and HMAC for device decks. `crypto.subtle` has both, but is unavailable over plain HTTP.
 */

const K = computeConstants();

/** Returns the first 32 fractional bits of the cube roots of the first 64 primes. */
function computeConstants() {
  const roots = [];
  for (let n = 2; roots.length < 64; n++) {
    if (![...Array(n).keys()].slice(2).some((m) => n % m === 0))
      roots.push(computeFraction(n, 1 / 3));
  }
  return roots;
}

/** @param {number} n @param {number} power @returns {number} */
function computeFraction(n, power) {
  const root = n ** power;
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const START = [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => computeFraction(prime, 1 / 2));

/** @param {number} x @param {number} by @returns {number} */
const rotateRight = (x, by) => (x >>> by) | (x << (32 - by));

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const blocks = new DataView(padMessage(message));
  const state = [...START];
  for (let at = 0; at < blocks.byteLength; at += 64) mixBlock(state, blocks, at);
  const hash = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) hash.setInt32(i * 4, word);
  return new Uint8Array(hash.buffer);
}

/**
 * Pads a message to whole blocks of 64 bytes, with a 1 bit, zeros and its length.
 * @param {Uint8Array} message
 */
function padMessage(message) {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  new DataView(bytes.buffer).setUint32(bytes.length - 4, message.length * 8);
  return bytes.buffer;
}

/** @param {number[]} state @param {DataView} blocks @param {number} at */
function mixBlock(state, blocks, at) {
  const w = Array.from({ length: 16 }, (_, i) => blocks.getInt32(at + i * 4));
  for (let i = 16; i < 64; i++) {
    const s0 = rotateRight(w[i - 15], 7) ^ rotateRight(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = rotateRight(w[i - 2], 17) ^ rotateRight(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + word) | 0;
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
export function concatBytes(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
