/** How others get in: the code large, the picture of the link, and one way to send it. */
import { request } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import { at } from "../core/page.js";
import { copyText } from "../core/picture.js";
import { t } from "../core/text.js";
import { art, shownCode } from "./parts.js";

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
  const known = await request("/api/address").catch(() => ({
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
 * Where the table is, as it is shown: while its code is hidden the server alone.
 * @param {Controller} ctrl
 */
export const place = (ctrl) =>
  ctrl.prefs.veil ? new URL(address(ctrl)).host : address(ctrl).replace(/^\w+:\/\//, "");

/**
 * The same, for whoever has no seat yet; made from an evening, with the names of those who were
 * there.
 * @param {Controller} ctrl
 */
const entrance = (ctrl) =>
  address(ctrl) + (location.hash.startsWith("#with=") ? location.hash : "");

/**
 * Whether others can follow the link; until the server has said so, its place is kept.
 * @param {Controller} ctrl
 * @returns {"open" | "shut" | "asked"}
 */
function way(ctrl) {
  const found = origin(ctrl);
  if (ctrl.tunnel) return ctrl.tunnel.origin ? "open" : "shut";
  if (found === null) return "shut";
  return onlyHere && ctrl.origin === undefined ? "asked" : "open";
}

/** @param {Controller} ctrl @param {boolean} [whole] with how the way is opened, where it is shut */
export const invite = (ctrl, whole = false) =>
  html`<section class="panel invite ${way(ctrl)}" aria-label=${t("invite")}>
    <span class="soft">${t("invite.code")}</span>
    <b class="code" data-code>${shownCode(ctrl)}</b>
    ${way(ctrl) === "shut" ? onlyHereNotice(ctrl, whole) : open(ctrl)}
  </section>`;

/** @param {Controller} ctrl */
const open = (ctrl) => html`${
  ctrl.prefs.veil
    ? nothing
    : html`<img class="qr" src=${at(`/t/${ctrl.table}/qr.svg`)} alt=${t("invite.qr")}
        width="112" height="112">`
}
  <div class="send">
    ${shareButton(ctrl, entrance(ctrl), ctrl.table, next(ctrl) ? "main" : "")}
    ${ctrl.prefs.veil ? nothing : html`<span class="clip soft">${place(ctrl)}</span>`}
  </div>`;

/** Whether sending the link is the host's next step: it takes two. @param {Controller} ctrl */
const next = ({ view }) => !!view?.you?.host && view.seats.length < 2;

/**
 * What opens the way is the host's to do, and told where they ask for it: in the sheet.
 * @param {Controller} ctrl
 * @param {boolean} whole
 */
function onlyHereNotice(ctrl, whole) {
  const { tunnel } = ctrl;
  if (whole || (tunnel && !tunnel.ended))
    return html`<p class="only-here" role="status">${why(tunnel)}</p>`;
  if (!ctrl.view?.you?.host) return nothing;
  return html`<button type="button" class="press wide ${next(ctrl) ? "main" : ""}" data-do="invite"
    @click=${() => ctrl.set({ sheet: { kind: "invite" } })}>
    ${t("invite.friends")}
  </button>`;
}

/** @param {Controller["tunnel"]} tunnel */
function why(tunnel) {
  if (tunnel?.ended) return t("invite.tunnel-ended", { why: tunnel.ended });
  if (tunnel) return t("invite.tunnel-opens");
  return `${t("invite.only-here")} ${t("invite.open-up", { command: "companion --host 0.0.0.0" })}`;
}

/** Whether this device hands a link to its other programs. */
const hands = "share" in (globalThis.navigator ?? {}) && matchMedia("(pointer: coarse)").matches;

/**
 * Sends or copies a link; `mark` tells it from others, once it is copied.
 * @param {Controller} ctrl
 * @param {string} url
 * @param {string} mark
 * @param {string} [kind]
 */
export function shareButton(ctrl, url, mark, kind = "small") {
  const asked = ctrl.link.mark === mark;
  const copied = asked && ctrl.link.copied;
  return html`<button type="button" class="press ${kind}" data-do="share"
    @click=${() => share(ctrl, url, mark)}>
    ${copied ? art("check") : nothing}
    ${t(copied ? "invite.copied" : hands ? "invite.send" : "invite.copy")}
  </button>${
    asked && !copied
      ? html`<label class="field by-hand ${ctrl.prefs.veil ? "veiled" : ""}">
        <span>${t("invite.by-hand")}</span>
        <input readonly .value=${url}
          @focus=${(/** @type {any} */ { target }) => target.select()}>
      </label>`
      : nothing
  }`;
}

/** @param {Controller} ctrl @param {string} url @param {string} mark */
async function share(ctrl, url, mark) {
  // Whoever closes the share sheet wants nothing said about it.
  if (hands) await navigator.share({ title: "Hiss", url }).catch(() => null);
  // A frame of another site may have no clipboard.
  else ctrl.set({ link: { mark, copied: (await copyText(url)) === "copied" } });
}
