/** At the now-line: what one noted of the ends of the pile is at hand, for oneself alone. */
import { nothing } from "../core/lit.js";

export const aside = () => nothing;
