/** What this device remembers: seats' tokens and the viewer's choices. Without storage, until reload. */

/** @type {Map<string, string>} */
const spare = new Map();

/** @param {string} key @returns {any} */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`hiss.${key}`) ?? "null");
  } catch {
    return JSON.parse(spare.get(key) ?? "null");
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  spare.set(key, JSON.stringify(value));
  try {
    if (value === null) localStorage.removeItem(`hiss.${key}`);
    else localStorage.setItem(`hiss.${key}`, JSON.stringify(value));
  } catch {
    // A private window or a frame without storage: the spare copy has to do.
  }
}

/** A table's code as it is written: capitals, no spaces or dashes. @param {string} code */
export const plain = (code) => code.replace(/[\s-]/g, "").toUpperCase();

/** @param {string} table @returns {{seat: string, token: string} | null} */
export const seatAt = (table) => recall(`seat.${plain(table)}`);

/** @param {{table: string, seat: string, token: string}} place */
export function sitDown({ table, seat, token }) {
  keep(`seat.${plain(table)}`, { seat, token });
  const others = (recall("tables") ?? []).filter((/** @type {string} */ code) => code !== table);
  keep("tables", [table, ...others].slice(0, 5));
  for (const code of others.slice(4)) keep(`last.${code}`, null);
}

/** @param {string} table */
export const standUp = (table) => keep(`seat.${plain(table)}`, null);
