/**
 * Requests over HTTP. Every failed request throws a `Refusal`, also a request without an answer.
 */
import { resolvePath } from "./page.js";
import { getLanguage, t } from "./text.js";

/** A failed request. `problem` is the error object from the server. */
export class Refusal extends Error {
  /** @param {import("./types.js").Problem} problem */
  constructor(problem) {
    super(problem.text);
    this.problem = problem;
  }
}

/** Pause before a request without an answer is repeated. */
const RETRY_MS = 1000;

/**
 * Longest time that the page waits before it repeats a rate-limited request. If the server demands
 * a longer wait, the page shows the server's error, which says when to try again.
 */
const LONGEST_WAIT_MS = 15_000;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns the time in ms to wait before a retry: the server's `retry_after_ms`, or `otherwise` if
 * the server names no time.
 * @param {import("./types.js").Problem | undefined} problem
 * @param {number} otherwise
 * @returns {number}
 */
export const getRetryDelay = (problem, otherwise) => problem?.facts?.retry_after_ms ?? otherwise;

/**
 * The idempotency key of each request that hasn't been answered yet. A retry uses the same key, so
 * that the server executes the request once.
 * @type {Map<string, string>}
 */
const keys = new Map();

/** @type {RequestCredentials} */
let credentials = "same-origin";

/**
 * Makes all further GET requests omit cookies, because the seat in this browser's cookie isn't the
 * viewer's.
 */
export function omitCookies() {
  credentials = "omit";
}

/**
 * Sends a request and returns the answer. Throws a `Refusal` if it fails.
 * @param {string} address path from the server's root
 * @param {object | string} [body] makes the request a POST; an object is sent as JSON
 * @param {string} [token]
 * @returns {Promise<any>}
 */
export async function request(address, body, token) {
  /** @type {Record<string, string>} */
  const headers = {
    "Content-Type": "application/json",
    "Accept-Language": getLanguage(),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
  const content = typeof body === "string" ? body : JSON.stringify(body);
  const id = `${address} ${content}`;
  if (body !== undefined) {
    headers["Idempotency-Key"] = keys.get(id) ?? createUuid();
    keys.set(id, headers["Idempotency-Key"]);
  }
  const options =
    body === undefined ? { headers, credentials } : { method: "POST", headers, body: content };
  const { ok, data } = await requestWithRetries(address, options);
  keys.delete(id);
  if (ok && data !== null) return data;
  throw new Refusal(data?.error ?? { code: "internal", text: t("error.internal") });
}

/**
 * Sends a request and returns the answer, which can be a refusal. If the refusal says when to try
 * again, waits that long and sends the request again. A refusal is returned at once if the wait
 * would be too long, or if `facts.what` names something that is full, such as the robots.
 * @param {string} address
 * @param {RequestInit} options
 * @returns {Promise<{ok: boolean, data: any}>}
 */
async function requestWithRetries(address, options) {
  for (;;) {
    const answer = await fetchJson(address, options).catch(() => retryOnce(address, options));
    const problem = answer.data?.error;
    const ms = problem?.facts?.what ? 0 : getRetryDelay(problem, 0);
    if (!ms || ms > LONGEST_WAIT_MS) return answer;
    await pause(ms);
  }
}

/**
 * Sends a request a second time, after it got no answer.
 * @param {string} address @param {RequestInit} options
 */
async function retryOnce(address, options) {
  await pause(RETRY_MS);
  return fetchJson(address, options).catch(() => {
    throw new Refusal({ code: "offline", text: t("error.offline") });
  });
}

/** @param {string} address @param {RequestInit} options @returns {Promise<{ok: boolean, data: any}>} */
async function fetchJson(address, options) {
  const answer = await fetch(resolvePath(address), options);
  const body = await answer.text();
  try {
    return { ok: answer.ok, data: JSON.parse(body) };
  } catch {
    return { ok: false, data: null };
  }
}

/**
 * Returns a random UUID. Works also where the page isn't a secure context and `crypto.randomUUID`
 * is missing.
 */
export function createUuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
