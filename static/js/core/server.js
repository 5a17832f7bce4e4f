/**
 * Information about the server: the robots that it offers, the address at which other people reach
 * it, and its limits. `GET /api/server` returns all of it.
 */

import { request } from "./http.js";

/** The robots that the server offers. @typedef {{most: number, free: number, tempers: string[]}} Robots */
/** @typedef {{origin: string | null, ended: string | null}} Tunnel */
/**
 * @typedef {{
 *   robots: Robots,
 *   origin: string | null,
 *   tunnel?: Tunnel,
 *   limits: {file: number, spectators: number},
 * }} ServerInfo
 */

/** The request that is on its way, if any. @type {Promise<ServerInfo> | null} */
let pending = null;

/**
 * Requests the server's information. Callers that ask while a request is on its way share it.
 * @returns {Promise<ServerInfo>}
 */
export function requestServerInfo() {
  pending ??= request("/api/server").finally(() => {
    pending = null;
  });
  return pending;
}
