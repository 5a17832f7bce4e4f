/**
 * The secrets of this device's decks, by their commitment; nothing else of a deck is kept. Where they
 * can be kept for as long as the tab is open, and no longer, they are kept so; where not even that is
 * so, `keep` fails, before a card is dealt.
 */
import { isTemporary, isListOf, isRecord, isText, keep as note, recall } from "./memory.js";

/** @typedef {{commit: string, secret: string, table: string, at: number}} Held */

const DAYS_MS = 90 * 24 * 60 * 60 * 1000;

/** What is kept as long as the tab is open. @returns {Held[]} */
const here = () => recall("decks", isListOf(isHeld)) ?? [];

/** @param {any} found */
const isHeld = (found) => isRecord(found) && isText(found.commit) && isText(found.secret);

/** @template T @param {IDBRequest<T>} asked @returns {Promise<T>} */
const answer = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/** @param {IDBTransactionMode} mode @returns {Promise<IDBObjectStore>} */
async function decks(mode) {
  const asked = indexedDB.open("hiss", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("decks", { keyPath: "commit" });
  const database = await answer(asked);
  const store = database.transaction("decks", mode).objectStore("decks");
  store.transaction.oncomplete = store.transaction.onabort = () => database.close();
  return store;
}

/**
 * Keeps a secret; fails where nothing can be kept.
 * @param {{commit: string, secret: string, table: string}} held
 */
export async function keep(held) {
  if (isTemporary) return note("decks", [...here(), { ...held, at: Date.now() }]);
  await drop((one) => one.at < Date.now() - DAYS_MS);
  const store = await decks("readwrite");
  await answer(store.put({ ...held, at: Date.now() }));
  if ((await secretOf(held.commit)) !== held.secret) throw new Error("nothing is kept");
}

/** Whether this device keeps anything at all. */
export const canStore = () =>
  keep({ commit: "", secret: "", table: "" })
    .then(() => forget(""))
    .then(
      () => true,
      () => false,
    );

/** @param {string} commit @returns {Promise<string | null>} null: this device doesn't have it */
export async function secretOf(commit) {
  if (isTemporary) return here().find((one) => one.commit === commit)?.secret ?? null;
  const held = await answer((await decks("readonly")).get(commit));
  return held?.secret ?? null;
}

/** Returns true if this device keeps a deck of this table. @param {string} table */
export async function holds(table) {
  /** @type {Held[]} */
  const all = isTemporary ? here() : await answer((await decks("readonly")).getAll());
  return all.some((one) => one.table === table);
}

/** Forgets all decks of a table. @param {string} table */
export const forget = (table) => drop((one) => one.table === table);

/** @param {(one: Held) => boolean} which */
async function drop(which) {
  if (isTemporary)
    return note(
      "decks",
      here().filter((one) => !which(one)),
    );
  const store = await decks("readwrite");
  /** @type {Held[]} */
  const all = await answer(store.getAll());
  await Promise.all(all.filter(which).map((one) => answer(store.delete(one.commit))));
}
