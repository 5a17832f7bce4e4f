/** Calls over HTTP; an error is always the contract's object, also when nobody answers. */
import { at } from "./page.js";
import { currentLanguage, t } from "./text.js";

/** What was refused and why: `problem` is the contract's error object. */
export class Refusal extends Error {
  /** @param {import("./types.js").Problem} problem */
  constructor(problem) {
    super(problem.text);
    this.problem = problem;
  }
}

const AGAIN_MS = 1000;

/** Longer nobody waits without a word: the sentence says how long it is. */
const LONGEST_WAIT_MS = 15_000;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * How long whoever was refused waits before they go on, in ms: as long as the server says, if it does.
 * @param {import("./types.js").Problem | undefined} problem
 * @param {number} otherwise
 * @returns {number}
 */
export const retryDelay = (problem, otherwise) => problem?.facts?.retry_after_ms ?? otherwise;

/**
 * Calls that nobody has answered yet, and the key under which each happens once however often it is
 * made.
 * @type {Map<string, string>}
 */
const keys = new Map();

/** @type {RequestCredentials} */
let credentials = "same-origin";

/** From now on nothing is read as the seat of this browser's cookie. */
export function omitCookies() {
  credentials = "omit";
}

/**
 * @param {string} address from the server's root on
 * @param {object | string} [body] with a body it is a POST; JSON is taken as it is
 * @param {string} [token]
 * @returns {Promise<any>}
 */
export async function request(address, body, token) {
  /** @type {Record<string, string>} */
  const headers = {
    "Content-Type": "application/json",
    "Accept-Language": currentLanguage(),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
  const content = typeof body === "string" ? body : JSON.stringify(body);
  const call = `${address} ${content}`;
  if (body !== undefined) {
    headers["Idempotency-Key"] = keys.get(call) ?? uuid();
    keys.set(call, headers["Idempotency-Key"]);
  }
  const options =
    body === undefined ? { headers, credentials } : { method: "POST", headers, body: content };
  const { ok, said } = await patiently(address, options);
  keys.delete(call);
  if (ok && said !== null) return said;
  throw new Refusal(said?.error ?? { code: "internal", text: t("error.internal") });
}

/**
 * Whoever was too fast waits and goes on; what is taken isn't free by that.
 * @param {string} address
 * @param {RequestInit} options
 * @returns {Promise<{ok: boolean, said: any}>}
 */
async function patiently(address, options) {
  for (;;) {
    const answer = await fetchJson(address, options).catch(() => again(address, options));
    const problem = answer.said?.error;
    const ms = problem?.facts?.what ? 0 : retryDelay(problem, 0);
    if (!ms || ms > LONGEST_WAIT_MS) return answer;
    await pause(ms);
  }
}

/** Once more when no answer came. @param {string} address @param {RequestInit} options */
async function again(address, options) {
  await pause(AGAIN_MS);
  return fetchJson(address, options).catch(() => {
    throw new Refusal({ code: "offline", text: t("error.offline") });
  });
}

/** @param {string} address @param {RequestInit} options @returns {Promise<{ok: boolean, said: any}>} */
async function fetchJson(address, options) {
  const answer = await fetch(at(address), options);
  const said = await answer.text();
  try {
    return { ok: answer.ok, said: JSON.parse(said) };
  } catch {
    return { ok: false, said: null };
  }
}

/** Random ids also where the page is not a secure context. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
