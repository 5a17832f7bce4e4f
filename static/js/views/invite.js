/** How others get in: the code, the link, the picture of the link. */
import { html, nothing } from "../lit.js";
import { t } from "../text.js";
import { at } from "../root.js";

/** @import { Controller } from "../controller.js" */

/** @param {Controller} ctrl */
const address = (ctrl) => new URL(at(`/t/${ctrl.table}`), location.href).href;

/** @param {Controller} ctrl */
export function invite(ctrl) {
  const can = "share" in navigator || "clipboard" in navigator;
  return html`<section class="panel invite" aria-label=${t("invite")}>
    <span class="soft">${t("invite.code")}</span><b class="code" data-code>${ctrl.table}</b>
    <img class="qr" src=${at(`/t/${ctrl.table}/qr.svg`)} alt=${t("invite.qr")} width="112" height="112">
    ${can ? html`<button type="button" class="press small" @click=${() => share(ctrl)}>${t(ctrl.prefs.copied === ctrl.table ? "invite.copied" : "invite.share")}</button>` : html`<a class="clip" href=${address(ctrl)}>${address(ctrl)}</a>`}${nothing}
  </section>`;
}

/** @param {Controller} ctrl */
async function share(ctrl) {
  const url = address(ctrl);
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) await navigator.share({ title: "Hiss", url });
    else {
      await navigator.clipboard.writeText(url);
      ctrl.set({ prefs: { ...ctrl.prefs, copied: ctrl.table } });
    }
  } catch {
    // Whoever closes the share sheet wants nothing said about it.
  }
}
