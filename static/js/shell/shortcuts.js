/** What the keyboard does, for whoever has one: its style sheet hides it where there is none. */
import { doing, title } from "../core/deck.js";
import { family } from "../core/family.js";
import { html } from "../core/lit.js";
import { t } from "../core/text.js";

/** The keys, as `keys.js` hears them, and what each does. */
export const shortcuts = () => {
  const keys = {
    ...family().shortcuts(),
    N: title(doing("nope")),
    P: t("pass"),
    H: `${t("hold")} / ${t("release")}`,
    S: t("dock.safe"),
    K: t("dock.kitten"),
    "?": t("help"),
    Esc: t("close"),
  };
  return html`<section class="shortcuts"><h3>${t("keys")}</h3><dl>${Object.entries(keys).map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl></section>`;
};
