/** Calls over HTTP; an error is always the contract's object, also when nobody answers. */
import { at } from "./root.js";
import { current, t } from "./text.js";

/** What was refused and why: `problem` is the contract's error object. */
export class Refusal extends Error {
  /** @param {import("./types.js").Problem} problem */
  constructor(problem) {
    super(problem.text);
    this.problem = problem;
  }
}

/**
 * @param {string} address from the server's root on
 * @param {object} [body] with a body it is a POST
 * @param {string} [token]
 * @returns {Promise<any>}
 */
export async function ask(address, body, token) {
  const headers = { "Content-Type": "application/json", "Accept-Language": current(), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const options = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(at(address), options);
  } catch {
    throw new Refusal({ code: "offline", text: t("error.offline") });
  }
  const said = await answer.json().catch(() => null);
  if (answer.ok && said !== null) return said;
  throw new Refusal(said?.error ?? { code: "internal", text: t("error.internal") });
}
