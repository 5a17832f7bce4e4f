/**
 * A deck that this device keeps, and what anyone's panel checks it by: words from a secret and the
 * server's salt, the deal, a Shuffle, a Defuse. docs/fair.md says the same in words, and
 * companion/fair/ in Python; secrets and salts are hexadecimal digits, as on the wire. Cards are
 * values. What is allowed is the server's to say.
 */
import { hmac, concat, sha256 } from "./sha256.js";

/** @import { Cards, Cell, Pack } from "./types.js" */

const WORDS = 2 ** 32;

/** @param {string} digits @returns {Uint8Array} */
const bytes = (digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} from @returns {string} */
export const hex = (from) => [...from].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} number @returns {Uint8Array} four bytes, big-endian */
const four = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** @param {string} text @returns {Uint8Array} */
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** What a device says before the game. @param {string} secret @returns {string} */
export const commitment = (secret) => hex(sha256(bytes(secret)));

/**
 * Where a Kitten was put, to be checked and not read; `version`: the table's when it is said.
 * @param {string} secret @param {number} version @param {Cell} cell @returns {string}
 */
export function seal(secret, version, cell) {
  const said = concat(ascii("place\0"), four(version), Uint8Array.from(cell));
  return hex(hmac(bytes(secret), said));
}

/**
 * Numbers below 2³², without end.
 * @param {string} secret @param {string} purpose @param {string} salt @returns {Generator<number>}
 */
export function* words(secret, purpose, salt) {
  const start = concat(ascii(`${purpose}\0`), bytes(salt));
  for (let counter = 0; ; counter++) {
    const block = new DataView(hmac(bytes(secret), concat(start, four(counter))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/**
 * Each order as likely as any other.
 * @template T @param {T[]} things @param {Generator<number>} drawn @returns {T[]}
 */
export function shuffle(things, drawn) {
  const lying = [...things];
  for (let last = lying.length - 1; last > 0; last--) {
    const fair = Math.floor(WORDS / (last + 1)) * (last + 1);
    let word = drawn.next().value;
    while (word >= fair) word = drawn.next().value;
    const other = word % (last + 1);
    [lying[last], lying[other]] = [lying[other], lying[last]];
  }
  return lying;
}

/**
 * What a variant on the wire says of a player's deck.
 * @param {{cards: {id: string, effect: string, count: number}[],
 *   grid: {rows: number, columns: number}, deal: {put_away: number, hand: number}}} variant
 * @returns {Pack}
 */
export function packOf({ cards, grid, deal }) {
  const doing = (/** @type {string} */ effect) =>
    cards.find((card) => card.effect === effect)?.id ?? "";
  return {
    cards: cards.flatMap((card) => Array(card.count).fill(card.id)),
    kitten: doing("kitten"),
    defuse: doing("defuse"),
    away: deal.put_away,
    hand: deal.hand,
    cells: Array.from({ length: grid.rows * grid.columns }, (_, n) => [
      Math.floor(n / grid.columns),
      n % grid.columns,
    ]),
  };
}

/** @param {Pack} pack @param {string} secret @param {string} salt @returns {Cards} */
export function deal(pack, secret, salt) {
  const deck = without(without(pack.cards, pack.kitten), pack.defuse);
  const order = shuffle(deck, words(secret, "deal", salt));
  const end = pack.away + pack.hand;
  const lying = shuffle([...order.slice(end), pack.kitten], words(secret, "grid", salt));
  return {
    hand: [...order.slice(pack.away, end), pack.defuse],
    grid: layInOrder(pack.cells, lying),
  };
}

/** @param {Cards} cards @param {Cell} cell @returns {string | null} what lies there */
export const at = ({ grid }, cell) => grid.find((one) => same(one.cell, cell))?.card ?? null;

/** A card leaves the hand. @param {Cards} cards @param {string} card @returns {Cards} */
export const discard = (cards, card) => ({ ...cards, hand: without(cards.hand, card) });

/** The cell's card goes to the hand. @param {Cards} cards @param {Cell} cell @returns {Cards} */
export function draw(cards, cell) {
  const card = at(cards, cell);
  return {
    hand: card === null ? cards.hand : [...cards.hand, card],
    grid: cards.grid.filter((one) => !same(one.cell, cell)),
  };
}

/**
 * @param {Cards} cards @param {string} secret @param {string} salt @param {Cell[]} cells
 * @returns {Cards}
 */
export function shuffleGrid(cards, secret, salt, cells) {
  const lying = cards.grid.map((one) => one.card);
  return { ...cards, grid: layInOrder(cells, shuffle(lying, words(secret, "shuffle", salt))) };
}

/**
 * A Defuse: the Kitten where its player put it, the others moved blindly; `still`: only what lay there
 * is moved, to where the Kitten came from.
 * @param {Cards} cards @param {string} secret @param {string} salt @param {Cell[]} cells
 * @param {{card: string, cell: Cell}} kitten @param {boolean} [still] @returns {Cards}
 */
export function putBack(cards, secret, salt, cells, kitten, still = false) {
  if (still) return swapKitten(cards, kitten);
  const others = cards.grid.map((one) => one.card).filter((card) => card !== kitten.card);
  const free = cells.filter((cell) => !same(cell, kitten.cell));
  const grid = layInOrder(free, shuffle(others, words(secret, "defuse", salt)));
  return { ...cards, grid: [...grid, kitten].sort((a, b) => order(a.cell, b.cell)) };
}

/**
 * The Kitten and the card where it goes change places.
 * @param {Cards} cards
 * @param {{card: string, cell: Cell}} kitten
 * @returns {Cards}
 */
function swapKitten(cards, kitten) {
  const lay = at(cards, kitten.cell) ?? kitten.card;
  const grid = cards.grid.map(({ cell, card }) => ({
    cell,
    card: same(cell, kitten.cell) ? kitten.card : card === kitten.card ? lay : card,
  }));
  return { ...cards, grid };
}

/** @param {Cell} a @param {Cell} b @returns {number} */
const order = (a, b) => a[0] - b[0] || a[1] - b[1];

/** @param {Cell} a @param {Cell} b @returns {boolean} */
const same = (a, b) => order(a, b) === 0;

/** In reading order. @param {Cell[]} cells @param {string[]} cards @returns {Cards["grid"]} */
const layInOrder = (cells, cards) =>
  [...cells].sort(order).map((cell, index) => ({ cell, card: cards[index] }));

/** @param {string[]} cards @param {string} card @returns {string[]} */
function without(cards, card) {
  const place = cards.indexOf(card);
  return cards.filter((_, index) => index !== place);
}

/** A pad as long as a secret, that only who has the claim can make. @param {string} claim */
function pad(claim) {
  const key = Array.from(new TextEncoder().encode(claim), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const drawn = words(key.join("").slice(0, 128), "move", "");
  return Array.from({ length: 8 }, () => drawn.next().value);
}

/** @param {string} secret @param {string} claim */
export const lock = (secret, claim) =>
  pad(claim)
    .map((word, at) => (word ^ Number.parseInt(secret.slice(8 * at, 8 * at + 8), 16)) >>> 0)
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");

/** The secret again. */
export const lifted = lock;
