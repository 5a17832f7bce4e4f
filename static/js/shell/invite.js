/** How others get in: the code, the link, the picture of the link. */
import { ask } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { at } from "../core/root.js";

/** @import { Controller } from "../core/controller.js" */

/** Whether the page was opened under an address that leads to nowhere but this machine. */
const onlyHere = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(
  globalThis.location?.hostname ?? "",
);

let learning = false;

/** Where others reach this server: as this page was opened, or as the server knows better. @param {Controller} ctrl */
function origin(ctrl) {
  if (ctrl.origin !== undefined || !onlyHere)
    return ctrl.origin === undefined ? location.origin : ctrl.origin;
  if (!learning)
    ask("/api/address").then(
      (known) => ctrl.set({ origin: known.origin }),
      () => null,
    );
  learning = true;
  return location.origin;
}

/** The table's link, as others reach it. @param {Controller} ctrl */
export const address = (ctrl) =>
  new URL(at(`/t/${ctrl.table}`), origin(ctrl) ?? location.href).href;

/** @param {Controller} ctrl */
export function invite(ctrl) {
  const can = "share" in navigator || "clipboard" in navigator;
  return html`<section class="panel invite" aria-label=${t("invite")}>
    <span class="soft">${t("invite.code")}</span><b class="code" data-code>${ctrl.table}</b>
    <img class="qr" src=${at(`/t/${ctrl.table}/qr.svg`)} alt=${t("invite.qr")} width="112" height="112">
    ${origin(ctrl) === null ? html`<p class="only-here">${t("invite.only-here")} ${t("invite.open-up", { command: "companion --host 0.0.0.0" })}</p>` : can ? html`<button type="button" class="press small" @click=${() => share(ctrl)}>${t(ctrl.prefs.copied === ctrl.table ? "invite.copied" : "invite.share")}</button>` : html`<a class="clip" href=${address(ctrl)}>${address(ctrl)}</a>`}${nothing}
  </section>`;
}

/** @param {Controller} ctrl */
async function share(ctrl) {
  const url = address(ctrl);
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
      await navigator.share({ title: "Hiss", url });
    else {
      await navigator.clipboard.writeText(url);
      ctrl.set({ prefs: { ...ctrl.prefs, copied: ctrl.table } });
    }
  } catch {
    // Whoever closes the share sheet wants nothing said about it.
  }
}
