/**
 * Stores the secrets of this device's decks in IndexedDB, by commitment (the hash of the secret,
 * which was published before the game). Nothing else about a deck is stored. Where only temporary
 * storage is available (memory.js), the secrets are lost when the tab is closed. If nothing can be
 * stored, `storeSecret` rejects before a card is dealt.
 */
import {
  isStorageTemporary,
  isListOf,
  isRecord,
  isText,
  storeValue as note,
  readValue,
} from "./memory.js";

/** @typedef {{commit: string, secret: string, table: string, at: number}} StoredDeck */

const DAYS_MS = 90 * 24 * 60 * 60 * 1000;

/** Returns the secrets in temporary storage. @returns {StoredDeck[]} */
const readTemporaryDecks = () => readValue("decks", isListOf(isStoredDeck)) ?? [];

/** @param {any} value */
const isStoredDeck = (value) => isRecord(value) && isText(value.commit) && isText(value.secret);

/**
 * Waits for a request to the database and returns its result.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const waitForResult = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransactionMode} mode @returns {Promise<IDBObjectStore>} */
async function openDeckStore(mode) {
  const request = indexedDB.open("hiss", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("decks", { keyPath: "commit" });
  const database = await waitForResult(request);
  const store = database.transaction("decks", mode).objectStore("decks");
  store.transaction.oncomplete = store.transaction.onabort = () => database.close();
  return store;
}

/**
 * Stores a secret. Rejects if nothing can be stored.
 * @param {{commit: string, secret: string, table: string}} held
 */
export async function storeSecret(held) {
  if (isStorageTemporary)
    return note("decks", [...readTemporaryDecks(), { ...held, at: Date.now() }]);
  await deleteDecksWhere((deck) => deck.at < Date.now() - DAYS_MS);
  const store = await openDeckStore("readwrite");
  await waitForResult(store.put({ ...held, at: Date.now() }));
  if ((await readSecret(held.commit)) !== held.secret) throw new Error("nothing is kept");
}

/** Resolves to true if this device can store secrets. */
export const canStoreSecrets = () =>
  storeSecret({ commit: "", secret: "", table: "" })
    .then(() => deleteDecks(""))
    .then(
      () => true,
      () => false,
    );

/** @param {string} commit @returns {Promise<string | null>} null: this device doesn't have it */
export async function readSecret(commit) {
  if (isStorageTemporary)
    return readTemporaryDecks().find((deck) => deck.commit === commit)?.secret ?? null;
  const held = await waitForResult((await openDeckStore("readonly")).get(commit));
  return held?.secret ?? null;
}

/** Returns true if this device keeps a deck of this table. @param {string} table */
export async function hasDeckOfTable(table) {
  /** @type {StoredDeck[]} */
  const decks = isStorageTemporary
    ? readTemporaryDecks()
    : await waitForResult((await openDeckStore("readonly")).getAll());
  return decks.some((deck) => deck.table === table);
}

/** Deletes all decks of a table. @param {string} table */
export const deleteDecks = (table) => deleteDecksWhere((deck) => deck.table === table);

/** @param {(deck: StoredDeck) => boolean} which */
async function deleteDecksWhere(which) {
  if (isStorageTemporary)
    return note(
      "decks",
      readTemporaryDecks().filter((deck) => !which(deck)),
    );
  const store = await openDeckStore("readwrite");
  /** @type {StoredDeck[]} */
  const decks = await waitForResult(store.getAll());
  await Promise.all(decks.filter(which).map((deck) => waitForResult(store.delete(deck.commit))));
}
