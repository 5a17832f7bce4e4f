/**
 * The parts of kittens that several pictures share. Each part is centred at (0, 0).
 */
import { svg } from "../vendor/lit-html/lit-html.js";

/** A head seen from the front, 56 units wide and 50 high. */
export const HEAD =
  "M-27-2L-25-25Q-24.500-30-20-27L-9-19Q0-21.500 9-19L20-27Q24.500-30 25-25L27-2Q29 22 0 22T-27-2Z";

/** A spark: a star with four points, 20 units wide. */
export const SPARK = "M0-10Q1.500-1.500 10 0Q1.500 1.500 0 10Q-1.500 1.500-10 0Q-1.500-1.500 0-10Z";

/**
 * Returns the path of a star around (x, y).
 * @param {number} points
 * @param {number} outer
 * @param {number} inner
 * @param {number} [x]
 * @param {number} [y]
 */
export const star = (points, outer, inner, x = 0, y = 0) => {
  const corner = (/** @type {number} */ i) => {
    const angle = (Math.PI * i) / points - Math.PI / 2;
    const radius = i % 2 ? inner : outer;
    return `${(x + Math.cos(angle) * radius).toFixed(1)} ${(y + Math.sin(angle) * radius).toFixed(1)}`;
  };
  return `M${Array.from({ length: points * 2 }, (_, i) => corner(i)).join("L")}Z`;
};

/**
 * Draws the eyes, nose, mouth and whiskers of a head.
 * @param {{look?: [number, number], size?: number, pupil?: number, mouth?: string,
 *   white?: string, dark?: string, nose?: string, lids?: string}} [mood] where it looks, how
 *   wide its eyes are, and a path each for the mouth and for half-closed lids
 */
export const face = ({
  look = [0, 0],
  size = 8,
  pupil = 4.2,
  mouth = "M-6 12Q-3 15 0 12Q3 15 6 12",
  white = "var(--paper)",
  dark = "var(--print)",
  nose = "var(--blush)",
  lids = "",
} = {}) => svg`
  <circle cx="-12" cy="-1" r=${size} fill=${white} /><circle cx="12" cy="-1" r=${size} fill=${white} />
  <circle cx=${-12 + look[0]} cy=${-1 + look[1]} r=${pupil} fill=${dark} />
  <circle cx=${12 + look[0]} cy=${-1 + look[1]} r=${pupil} fill=${dark} />
  <path d=${lids} fill=${dark} />
  <path d="M-3 7.500H3L0 11Z" fill=${nose} stroke=${nose} stroke-width="1.500" stroke-linejoin="round" />
  <path d=${mouth} fill="none" stroke=${white} stroke-width="2" stroke-linecap="round" />`;

/** Draws the whiskers of a head. @param {string} colour */
export const whiskers = (colour) =>
  svg`<path d="M-31 5L-20 7M-30 13L-20 11M31 5L20 7M30 13L20 11" fill="none" stroke=${colour}
    stroke-width="2" stroke-linecap="round" />`;
