/**
 * Stores the secrets of this device's decks by their commitment, in IndexedDB; nothing else of a deck
 * is stored. Where only temporary storage is available (memory.js), the secrets last until the tab is
 * closed. Where nothing can be stored, `keep` fails, before a card is dealt.
 */
import { isTemporary, isListOf, isRecord, isText, keep as note, recall } from "./memory.js";

/** @typedef {{commit: string, secret: string, table: string, at: number}} Held */

const DAYS_MS = 90 * 24 * 60 * 60 * 1000;

/** Returns the secrets in temporary storage. @returns {Held[]} */
const temporaryDecks = () => recall("decks", isListOf(isHeld)) ?? [];

/** @param {any} found */
const isHeld = (found) => isRecord(found) && isText(found.commit) && isText(found.secret);

/**
 * Returns the result of a request to the database.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransactionMode} mode @returns {Promise<IDBObjectStore>} */
async function decks(mode) {
  const request = indexedDB.open("hiss", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("decks", { keyPath: "commit" });
  const database = await resultOf(request);
  const store = database.transaction("decks", mode).objectStore("decks");
  store.transaction.oncomplete = store.transaction.onabort = () => database.close();
  return store;
}

/**
 * Stores a secret. Rejects if nothing can be stored.
 * @param {{commit: string, secret: string, table: string}} held
 */
export async function keep(held) {
  if (isTemporary) return note("decks", [...temporaryDecks(), { ...held, at: Date.now() }]);
  await drop((one) => one.at < Date.now() - DAYS_MS);
  const store = await decks("readwrite");
  await resultOf(store.put({ ...held, at: Date.now() }));
  if ((await secretOf(held.commit)) !== held.secret) throw new Error("nothing is kept");
}

/** Resolves to true if this device can store secrets. */
export const canStore = () =>
  keep({ commit: "", secret: "", table: "" })
    .then(() => forget(""))
    .then(
      () => true,
      () => false,
    );

/** @param {string} commit @returns {Promise<string | null>} null: this device doesn't have it */
export async function secretOf(commit) {
  if (isTemporary) return temporaryDecks().find((one) => one.commit === commit)?.secret ?? null;
  const held = await resultOf((await decks("readonly")).get(commit));
  return held?.secret ?? null;
}

/** Returns true if this device keeps a deck of this table. @param {string} table */
export async function holds(table) {
  /** @type {Held[]} */
  const all = isTemporary ? temporaryDecks() : await resultOf((await decks("readonly")).getAll());
  return all.some((one) => one.table === table);
}

/** Forgets all decks of a table. @param {string} table */
export const forget = (table) => drop((one) => one.table === table);

/** @param {(one: Held) => boolean} which */
async function drop(which) {
  if (isTemporary)
    return note(
      "decks",
      temporaryDecks().filter((one) => !which(one)),
    );
  const store = await decks("readwrite");
  /** @type {Held[]} */
  const all = await resultOf(store.getAll());
  await Promise.all(all.filter(which).map((one) => resultOf(store.delete(one.commit))));
}
