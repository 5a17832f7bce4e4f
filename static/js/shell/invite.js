/** Renders the invitation: the table's code, a QR code of the link, and a button that shares the link. */
import { createLazyPart } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { isText, readValue } from "../core/memory.js";
import { isLocalAddress, resolvePath } from "../core/page.js";
import { copyText } from "../core/picture.js";
import { requestServerInfo } from "../core/server.js";
import { t } from "../core/text.js";
import { art, getShownCode } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const friends = createLazyPart(() => import("./friends.js"), "friends");

/** True after the server was asked for its public address. */
let isAddressRequested = false;

/**
 * Interval at which the state of the server's tunnel is requested. The tunnel can open or end at
 * any time.
 */
const POLL_MS = 4000;

/**
 * Returns the origin at which other people reach the server, or null if they can't reach it. If the
 * page's own origin works for others, returns that; otherwise the origin comes from the server.
 * @param {Controller} ctrl
 */
function getPublicOrigin(ctrl) {
  if (ctrl.origin !== undefined || !isLocalAddress)
    return ctrl.origin === undefined ? location.origin : ctrl.origin;
  if (!isAddressRequested) requestPublicAddress(ctrl);
  return location.origin;
}

/**
 * Requests the server's public address. If the server has a tunnel, repeats the request at
 * intervals, because the tunnel can open or close.
 * @param {Controller} ctrl
 */
async function requestPublicAddress(ctrl) {
  isAddressRequested = true;
  const address = await requestServerInfo().catch(() => ({
    origin: ctrl.origin,
    tunnel: ctrl.tunnel,
  }));
  if (address.origin !== ctrl.origin || address.tunnel?.ended !== ctrl.tunnel?.ended)
    ctrl.set({ origin: address.origin, tunnel: address.tunnel });
  if (address.tunnel) setTimeout(() => requestPublicAddress(ctrl), POLL_MS);
}

/** Returns the table's public link. @param {Controller} ctrl */
export const getTableLink = (ctrl) =>
  new URL(resolvePath(`/t/${ctrl.table}`), getPublicOrigin(ctrl) ?? location.href).href;

/**
 * Returns the table's address as text. If the viewer hides the table's code, returns only the
 * server's host name.
 * @param {Controller} ctrl
 */
export const getShownAddress = (ctrl) =>
  ctrl.prefs.veil ? new URL(getTableLink(ctrl)).host : getTableLink(ctrl).replace(/^\w+:\/\//, "");

/**
 * Returns the link for new players. If this table continues the session of another table, the link
 * contains the names of that table's players.
 * @param {Controller} ctrl
 */
const getInvitationLink = (ctrl) =>
  getTableLink(ctrl) + (location.hash.startsWith("#with=") ? location.hash : "");

/**
 * Returns whether other people can open the link: "open" if they can, "shut" if they can't, "asked"
 * if the server hasn't answered yet. The link is drawn even while it is "asked", so that nothing
 * moves when the answer arrives.
 * @param {Controller} ctrl
 * @returns {"open" | "shut" | "asked"}
 */
function getLinkState(ctrl) {
  const publicOrigin = getPublicOrigin(ctrl);
  if (ctrl.tunnel) return ctrl.tunnel.origin ? "open" : "shut";
  if (publicOrigin === null) return "shut";
  return isLocalAddress && ctrl.origin === undefined ? "asked" : "open";
}

/**
 * Renders the invitation.
 * @param {Controller} ctrl
 * @param {boolean} [whole] true to explain how to make the server reachable, if it isn't
 */
export const renderInvitation = (ctrl, whole = false) =>
  html`<section class="panel invite ${getLinkState(ctrl)}" aria-label=${t("invite")}>
    <span class="soft">${t("invite.code")}</span>
    <b class="code" data-code>${getShownCode(ctrl)}</b>
    ${getLinkState(ctrl) === "shut" ? renderUnreachableNotice(ctrl, whole) : renderQrAndLink(ctrl)}
    ${isOperator() ? friends(ctrl, (part) => part.renderFriends(ctrl, true)) : nothing}
  </section>`;

/** Returns true if this browser can let friends in: it is the operator's, on the server's machine. */
const isOperator = () => isLocalAddress && readValue("operator", isText) !== null;

/** Renders the QR code of the link and the button that shares the link. @param {Controller} ctrl */
const renderQrAndLink = (ctrl) => html`${
  ctrl.prefs.veil
    ? nothing
    : html`<img class="qr" src=${getQrCodePath(ctrl)} alt=${t("invite.qr")}
        width="112" height="112">`
}
  <div class="send">
    ${renderShareButton(ctrl, getInvitationLink(ctrl), ctrl.table, isHostAlone(ctrl) ? "main" : "")}
    ${ctrl.prefs.veil ? nothing : html`<span class="clip soft">${getShownAddress(ctrl)}</span>`}
  </div>`;

/**
 * Returns the path of the QR code. The path contains the server's public address, so that the
 * browser doesn't show an old picture from its cache after the address has changed.
 * @param {Controller} ctrl
 */
const getQrCodePath = ({ table, tunnel }) =>
  resolvePath(`/t/${table}/qr.svg`) +
  (tunnel?.origin ? `?v=${encodeURIComponent(tunnel.origin)}` : "");

/** Returns true if the host is alone: sharing the link is their next step. @param {Controller} ctrl */
const isHostAlone = ({ view }) => !!view?.you?.host && view.seats.length < 2;

/**
 * Renders the notice that other people can't reach the server. If `whole` is false, renders a
 * button for the host that opens a sheet with the notice.
 * @param {Controller} ctrl
 * @param {boolean} whole
 */
function renderUnreachableNotice(ctrl, whole) {
  if (isOperator()) return nothing;
  const { tunnel } = ctrl;
  if (whole || (tunnel && !tunnel.ended))
    return html`<p class="only-here" role="status">${describeUnreachable(tunnel)}</p>`;
  if (!ctrl.view?.you?.host) return nothing;
  return html`<button type="button" class="press wide ${isHostAlone(ctrl) ? "main" : ""}" data-do="invite"
    @click=${() => ctrl.set({ sheet: { kind: "invite" } })}>
    ${t("invite.friends")}
  </button>`;
}

/** Returns the reason why other people can't reach the server. @param {Controller["tunnel"]} tunnel */
function describeUnreachable(tunnel) {
  if (tunnel?.ended) return t("invite.tunnel-ended", { why: tunnel.ended });
  if (tunnel) return t("invite.tunnel-opens");
  const otherwise = t("invite.open-up", { command: "companion --host 0.0.0.0" });
  return `${t("friends.only-here")} ${t("friends.console")} ${otherwise}`;
}

/**
 * True if links are shared with the system's share dialog. This is so on touch screens, if the
 * browser supports it.
 */
const usesShareSheet =
  "share" in (globalThis.navigator ?? {}) && matchMedia("(pointer: coarse)").matches;

/**
 * Renders the button that shares or copies a link. If copying fails, a field with the link appears.
 * @param {Controller} ctrl
 * @param {string} url
 * @param {string} mark identifies the link, so that only its own button shows that it was copied
 * @param {string} [kind] further classes
 */
export function renderShareButton(ctrl, url, mark, kind = "small") {
  const asked = ctrl.link.mark === mark;
  const copied = asked && ctrl.link.copied;
  return html`<button type="button" class="press ${kind}" data-do="share"
    @click=${() => shareLink(ctrl, url, mark)}>
    ${copied ? art("check") : nothing}
    ${t(copied ? "invite.copied" : usesShareSheet ? "invite.send" : "invite.copy")}
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

/** Shares or copies a link. @param {Controller} ctrl @param {string} url @param {string} mark */
async function shareLink(ctrl, url, mark) {
  // Closing the share dialog rejects the promise. That isn't an error.
  if (usesShareSheet) await navigator.share({ title: "Hiss", url }).catch(() => null);
  // Copying can fail, for example in a frame on another site.
  else ctrl.set({ link: { mark, copied: (await copyText(url)) === "copied" } });
}
