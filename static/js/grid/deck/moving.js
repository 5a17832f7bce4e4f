/** A deck's secret on its way to another device: in the link's fragment, which no server sees, locked with its claim. */
import { words } from "../fair.js";

/** A pad as long as a secret, that only who has the claim can make. @param {string} claim */
function pad(claim) {
  const key = Array.from(new TextEncoder().encode(claim), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const drawn = words(key.join("").slice(0, 128), "move", "");
  return Array.from({ length: 8 }, () => drawn.next().value);
}

/** @param {string} secret @param {string} claim */
export const locked = (secret, claim) =>
  pad(claim)
    .map((word, at) => (word ^ Number.parseInt(secret.slice(8 * at, 8 * at + 8), 16)) >>> 0)
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");

/** The secret again. */
export const lifted = locked;
