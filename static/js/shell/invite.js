/** How others get in: the code, the link, the picture of the link. */
import { ask } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { at } from "../core/page.js";

/** @import { Controller } from "../core/controller.js" */

/** Whether the page was opened under an address that leads to nowhere but this machine. */
const onlyHere = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(
  globalThis.location?.hostname ?? "",
);

let learning = false;

/** After this a tunnel is asked about again: it may be open by then, or closed. */
const AGAIN_MS = 4000;

/**
 * Where others reach this server: as this page was opened, or as the server knows better.
 * @param {Controller} ctrl
 */
function origin(ctrl) {
  if (ctrl.origin !== undefined || !onlyHere)
    return ctrl.origin === undefined ? location.origin : ctrl.origin;
  if (!learning) learn(ctrl);
  return location.origin;
}

/** Asks the server how others reach it, and again while a tunnel is at work. @param {Controller} ctrl */
async function learn(ctrl) {
  learning = true;
  const known = await ask("/api/address").catch(() => ({
    origin: ctrl.origin,
    tunnel: ctrl.tunnel,
  }));
  if (known.origin !== ctrl.origin || known.tunnel?.ended !== ctrl.tunnel?.ended)
    ctrl.set({ origin: known.origin, tunnel: known.tunnel });
  if (known.tunnel) setTimeout(() => learn(ctrl), AGAIN_MS);
}

/** The table's link, as others reach it. @param {Controller} ctrl */
export const address = (ctrl) =>
  new URL(at(`/t/${ctrl.table}`), origin(ctrl) ?? location.href).href;

/**
 * The same, for whoever has no seat yet; made from an evening, with the names of those who were
 * there.
 * @param {Controller} ctrl
 */
const entrance = (ctrl) =>
  address(ctrl) + (location.hash.startsWith("#with=") ? location.hash : "");

/** @param {Controller} ctrl */
export function invite(ctrl) {
  if (ctrl.tunnel && !ctrl.tunnel.origin)
    return html`<section class="panel invite" aria-label=${t("invite")}>
      <span class="soft">${t("invite.code")}</span>
      <b class="code" data-code>${ctrl.table}</b>
      <p class="only-here" role="status">
        ${t(ctrl.tunnel.ended ? "invite.tunnel-ended" : "invite.tunnel-opens", {
          why: ctrl.tunnel.ended ?? "",
        })}
      </p>
    </section>`;
  return html`<section class="panel invite" aria-label=${t("invite")}>
    <span class="soft">${t("invite.code")}</span>
    <b class="code" data-code>${ctrl.table}</b>
    <img class="qr" src=${at(`/t/${ctrl.table}/qr.svg`)} alt=${t("invite.qr")} width="112"
      height="112">
    ${
      origin(ctrl) === null
        ? html`<p class="only-here">
          ${t("invite.only-here")}
          ${t("invite.open-up", { command: "companion --host 0.0.0.0" })}
        </p>`
        : canShare
          ? shared(ctrl, entrance(ctrl), ctrl.table)
          : html`<a class="clip" href=${entrance(ctrl)}>${address(ctrl)}</a>`
    }${nothing}
  </section>`;
}

/** Whether this browser gives a link to other programs, or copies it. */
const canShare = ["share", "clipboard"].some((way) => way in (globalThis.navigator ?? {}));

/**
 * Shares or copies a link; `mark` tells it from others, once it is copied.
 * @param {Controller} ctrl
 * @param {string} url
 * @param {string} mark
 */
export const shared = (ctrl, url, mark) =>
  canShare
    ? html`<button type="button" class="press small" data-do="share"
      @click=${() => share(ctrl, url, mark)}>
      ${t(ctrl.prefs.copied === mark ? "invite.copied" : "invite.share")}
    </button>`
    : nothing;

/** @param {Controller} ctrl @param {string} url @param {string} mark */
async function share(ctrl, url, mark) {
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
      await navigator.share({ title: "Hiss", url });
    else {
      await navigator.clipboard.writeText(url);
      ctrl.set({ prefs: { ...ctrl.prefs, copied: mark } });
    }
  } catch {
    // Whoever closes the share sheet wants nothing said about it.
  }
}
