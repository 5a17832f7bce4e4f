/**
 * Deals and shuffles a device deck from a secret and the server's salts. The device that keeps the
 * deck does this during the game. Every panel does it after the game to check the deck.
 * companion/device_decks/dealing.py explains the idea and does the same in Python; docs/fair.md
 * specifies it. Secrets and salts are hexadecimal strings. Functions return new cards and never
 * change the given ones. The server decides what is legal.
 */
import { hmac, concatBytes, sha256 } from "./sha256.js";

/** @import { Cards, Cell, Pack } from "./types.js" */

const WORDS = 2 ** 32;

/** @param {string} digits @returns {Uint8Array} */
const parseHex = (digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} from @returns {string} */
export const formatHex = (from) =>
  [...from].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} number @returns {Uint8Array} four bytes, big-endian */
const encodeUint32 = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** @param {string} text @returns {Uint8Array} */
const encodeAscii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * Returns the commitment of a secret: its hash, which the device publishes before the game.
 * @param {string} secret
 * @returns {string}
 */
export const computeCommitment = (secret) => formatHex(sha256(parseHex(secret)));

/**
 * Returns the seal of the cell in which a Kitten was hidden: a keyed hash that doesn't reveal the
 * cell, but can be checked once the secret is published. `version` is the table's version when the
 * command is sent.
 * @param {string} secret
 * @param {number} version
 * @param {Cell} cell
 * @returns {string}
 */
export function sealCell(secret, version, cell) {
  const message = concatBytes(encodeAscii("place\0"), encodeUint32(version), Uint8Array.from(cell));
  return formatHex(hmac(parseHex(secret), message));
}

/**
 * Yields an endless sequence of pseudorandom 32-bit numbers.
 * @param {string} secret
 * @param {string} purpose
 * @param {string} salt
 * @returns {Generator<number>}
 */
export function* generateWords(secret, purpose, salt) {
  const start = concatBytes(encodeAscii(`${purpose}\0`), parseHex(salt));
  for (let counter = 0; ; counter++) {
    const block = new DataView(
      hmac(parseHex(secret), concatBytes(start, encodeUint32(counter))).buffer,
    );
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/**
 * Returns the items in random order. Every order is equally likely.
 * @template T
 * @param {T[]} items
 * @param {Generator<number>} randomWords
 * @returns {T[]}
 */
export function shuffle(items, randomWords) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    // Skip words from `limit` up, because they would make low indexes more likely.
    const limit = Math.floor(WORDS / (last + 1)) * (last + 1);
    let word = randomWords.next().value;
    while (word >= limit) word = randomWords.next().value;
    const other = word % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/**
 * Reads from a variant's document which cards a player's deck has and how it is dealt.
 * @param {{cards: {id: string, effect: string, count: number}[],
 *   grid: {rows: number, columns: number}, deal: {put_away: number, hand: number}}} variant
 * @returns {Pack}
 */
export function readPack({ cards, grid, deal }) {
  const findCardId = (/** @type {string} */ effect) =>
    cards.find((card) => card.effect === effect)?.id ?? "";
  return {
    cards: cards.flatMap((card) => Array(card.count).fill(card.id)),
    kitten: findCardId("kitten"),
    defuse: findCardId("defuse"),
    away: deal.put_away,
    hand: deal.hand,
    cells: Array.from({ length: grid.rows * grid.columns }, (_, n) => [
      Math.floor(n / grid.columns),
      n % grid.columns,
    ]),
  };
}

/** @param {Pack} pack @param {string} secret @param {string} salt @returns {Cards} */
export function dealCards(pack, secret, salt) {
  const deck = removeOne(removeOne(pack.cards, pack.kitten), pack.defuse);
  const order = shuffle(deck, generateWords(secret, "deal", salt));
  const end = pack.away + pack.hand;
  const lying = shuffle([...order.slice(end), pack.kitten], generateWords(secret, "grid", salt));
  return {
    hand: [...order.slice(pack.away, end), pack.defuse],
    grid: layInOrder(pack.cells, lying),
  };
}

/** @param {Cards} cards @param {Cell} cell @returns {string | null} the card in the cell */
export const getCardAt = ({ grid }, cell) =>
  grid.find((one) => isSameCell(one.cell, cell))?.card ?? null;

/** Removes a card from the hand. @param {Cards} cards @param {string} card @returns {Cards} */
export const discardCard = (cards, card) => ({ ...cards, hand: removeOne(cards.hand, card) });

/** Moves a cell's card to the hand. @param {Cards} cards @param {Cell} cell @returns {Cards} */
export function drawCard(cards, cell) {
  const card = getCardAt(cards, cell);
  return {
    hand: card === null ? cards.hand : [...cards.hand, card],
    grid: cards.grid.filter((one) => !isSameCell(one.cell, cell)),
  };
}

/**
 * @param {Cards} cards @param {string} secret @param {string} salt @param {Cell[]} cells
 * @returns {Cards}
 */
export function shuffleGrid(cards, secret, salt, cells) {
  const lying = cards.grid.map((one) => one.card);
  return {
    ...cards,
    grid: layInOrder(cells, shuffle(lying, generateWords(secret, "shuffle", salt))),
  };
}

/**
 * Puts the Kitten back after a Defuse, and shuffles the other cards. If `still` is true, nothing is
 * shuffled: the Kitten changes places with the card in its new cell.
 * @param {Cards} cards
 * @param {string} secret
 * @param {string} salt
 * @param {Cell[]} cells
 * @param {{card: string, cell: Cell}} kitten
 * @param {boolean} [still]
 * @returns {Cards}
 */
export function putKittenBack(cards, secret, salt, cells, kitten, still = false) {
  if (still) return swapKitten(cards, kitten);
  const others = cards.grid.map((one) => one.card).filter((card) => card !== kitten.card);
  const free = cells.filter((cell) => !isSameCell(cell, kitten.cell));
  const grid = layInOrder(free, shuffle(others, generateWords(secret, "defuse", salt)));
  return { ...cards, grid: [...grid, kitten].sort((a, b) => compareCells(a.cell, b.cell)) };
}

/**
 * Swaps the Kitten with the card in the Kitten's new cell.
 * @param {Cards} cards
 * @param {{card: string, cell: Cell}} kitten
 * @returns {Cards}
 */
function swapKitten(cards, kitten) {
  const displacedCard = getCardAt(cards, kitten.cell) ?? kitten.card;
  const grid = cards.grid.map(({ cell, card }) => ({
    cell,
    card: isSameCell(cell, kitten.cell) ? kitten.card : card === kitten.card ? displacedCard : card,
  }));
  return { ...cards, grid };
}

/** @param {Cell} a @param {Cell} b @returns {number} */
const compareCells = (a, b) => a[0] - b[0] || a[1] - b[1];

/** @param {Cell} a @param {Cell} b @returns {boolean} */
const isSameCell = (a, b) => compareCells(a, b) === 0;

/**
 * Puts the cards into the cells, in reading order.
 * @param {Cell[]} cells
 * @param {string[]} cards
 * @returns {Cards["grid"]}
 */
const layInOrder = (cells, cards) =>
  [...cells].sort(compareCells).map((cell, index) => ({ cell, card: cards[index] }));

/** @param {string[]} cards @param {string} card @returns {string[]} */
function removeOne(cards, card) {
  const place = cards.indexOf(card);
  return cards.filter((_, index) => index !== place);
}

/**
 * Returns a pad that is as long as a secret. It is derived from the claim, the secret token in a
 * link.
 * @param {string} claim
 */
function createPad(claim) {
  const key = Array.from(new TextEncoder().encode(claim), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const randomWords = generateWords(key.join("").slice(0, 128), "move", "");
  return Array.from({ length: 8 }, () => randomWords.next().value);
}

/**
 * Encrypts a secret with a pad that is derived from a link's claim (its secret token), by XOR.
 * @param {string} secret
 * @param {string} claim
 */
export const encryptSecret = (secret, claim) =>
  createPad(claim)
    .map((word, at) => (word ^ Number.parseInt(secret.slice(8 * at, 8 * at + 8), 16)) >>> 0)
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");

/** Decrypts a secret. XOR is its own inverse, so this is the same operation. */
export const decryptSecret = encryptSecret;
