/**
 * Requests of a device that may have lost its seat. When a player leaves or is removed, the seat's
 * token becomes invalid. From then on, the device can request only what a visitor can.
 */
import { Refusal, request } from "./http.js";
import { readStoredSeat } from "./memory.js";

/**
 * Sends requests with a seat's token. If the server no longer knows the token, sends them again
 * without it, as a visitor does.
 * @template Answer
 * @param {string | undefined} token
 * @param {(token?: string) => Promise<Answer>} send
 * @returns {Promise<Answer>}
 */
export async function sendWithToken(token, send) {
  try {
    return await send(token);
  } catch (error) {
    const isTokenUnknown = error instanceof Refusal && error.problem.code === "unauthenticated";
    if (!token || !isTokenUnknown) throw error;
    return send();
  }
}

/**
 * Requests something about a table, as the seat of this device or as a visitor.
 * @param {string} table
 * @param {string} path below the table's path
 */
export const requestFromTable = (table, path) =>
  sendWithToken(readStoredSeat(table)?.token, (token) =>
    request(`/api/tables/${table}/${path}`, undefined, token),
  );
