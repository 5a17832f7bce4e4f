/**
 * Renders a sentence about the people who can reach this server, and the button with which the
 * operator lets friends in. Both are shown only on the server's own machine.
 *
 * The operator's browser has a token, which it got for the key in the console's link
 * (`#operator=…`). Other browsers on this machine only show who can reach the server.
 */
import { Refusal, request } from "../core/http.js";
import { html, nothing } from "../core/lit.js";
import * as memory from "../core/memory.js";
import { resolvePath } from "../core/page.js";
import { requestServerInfo } from "../core/server.js";
import { t } from "../core/text.js";
import { art } from "./parts.js";

/**
 * A way by which others can reach the server.
 * @typedef {{way: string, program: string | null, through: string | null, encrypted: boolean}} Choice
 */
/**
 * @typedef {{
 *   way: string | null,
 *   origin: string | null,
 *   ended: string | null,
 *   reason: string | null,
 *   choices: Choice[],
 * }} Access
 */
/**
 * The part of the page's controller that this module needs. The start page has no `set`,
 * but has already requested the server's information.
 * @typedef {{
 *   draw: () => void,
 *   set?: (change: any) => void,
 *   serverInfo?: Promise<import("../core/server.js").ServerInfo>,
 * }} Page
 */

/** Interval at which the state of an open way is requested, because its address can change. */
const POLL_MS = 2000;

const KEY = /^#operator=([\w-]+)$/;

/** The operator's token, or null if this browser isn't the operator's. @type {string | null} */
let token = memory.readValue("operator", memory.isText);
/**
 * The server's last answer about the ways to let friends in, or null before the first answer.
 * @type {Access | null}
 */
let access = null;
/**
 * The address at which others can reach the server, or null if they can't. Undefined before the
 * server has answered. The operator's browser uses `access` instead.
 * @type {string | null | undefined}
 */
let usualOrigin;
/** True while the choices are shown. */
let isChoosing = false;
/** The way that the operator has chosen; null means the first one. @type {string | null} */
let chosen = null;
/** True until the server has answered a request to open or close a way. */
let isBusy = false;
/** The error of the last request. */
let problem = "";
/** True after the state was requested for the first time. */
let isStarted = false;
/** True if the console's key in this page's address didn't work. */
let isKeyUsed = false;

/**
 * Sends a request of the operator. If the server doesn't know the token, because the server has
 * restarted, tries the token that another window has stored since, or else deletes the token and
 * returns null.
 * @param {string} path @param {object} [body]
 * @returns {Promise<Access | null>}
 */
async function requestAccess(path, body) {
  problem = "";
  const usedToken = token;
  try {
    return await request(path, body, usedToken ?? "");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (["unauthenticated", "forbidden"].includes(error.problem.code)) {
      token = memory.readValue("operator", memory.isText);
      if (token && token !== usedToken) return requestAccess(path, body);
      token = null;
      memory.storeValue("operator", null);
      return null;
    }
    problem = error.problem.text;
    return access;
  }
}

/** Exchanges the key in the page's address, if any, for a token. */
async function exchangeKey() {
  const key = KEY.exec(location.hash)?.[1];
  if (!key) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    token = (await request("/api/operator", { key })).token;
    memory.storeValue("operator", token);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    isKeyUsed = !token;
  }
}

/** Requests the state of the ways for the first time. @param {Page} page */
async function loadFirstState(page) {
  await exchangeKey();
  if (token) await refreshState(page);
  usualOrigin = token
    ? null
    : await (page.serverInfo ?? requestServerInfo()).then(
        ({ origin }) => origin,
        () => null,
      );
  page.draw();
}

/** Requests the state of the ways, repeatedly while a way is open. @param {Page} page */
async function refreshState(page) {
  applyState(page, await requestAccess("/api/access"));
  if (access?.way) setTimeout(() => refreshState(page), POLL_MS);
}

/**
 * Stores the new state of the ways, and draws the page.
 * @param {Page} page
 * @param {Access | null} state
 */
function applyState(page, state) {
  if (access && JSON.stringify(state) === JSON.stringify(access)) return page.draw();
  access = state;
  const origin = state?.origin ?? null;
  // A table's invitation shows this address.
  const tunnel = state?.way ? { origin, ended: state.ended } : undefined;
  if (page.set && state) page.set({ origin, tunnel });
  else page.draw();
}

/** @param {Page} page @param {string} path @param {object} body */
async function requestChange(page, path, body) {
  isBusy = true;
  page.draw();
  const wasOpen = !!access?.way;
  const state = await requestAccess(path, body);
  isBusy = false;
  isChoosing = false;
  applyState(page, state);
  if (state?.way && !wasOpen) setTimeout(() => refreshState(page), POLL_MS);
}

/**
 * Renders the sentence about the people who can reach the server. For the operator, adds the button
 * that changes this.
 * @param {Page} page
 * @param {boolean} [atTable] true if the page shows the table's link itself
 */
export function renderFriends(page, atTable = false) {
  if (!isStarted) {
    isStarted = true;
    loadFirstState(page);
  }
  if (!token) return atTable || usualOrigin === undefined ? nothing : renderForOthers();
  if (!access) return nothing;
  return html`<section class="friends" aria-label=${t("friends")} data-way=${access.way ?? "none"}>
    ${
      access.way && !access.ended
        ? renderOpenAccess(page, access, atTable)
        : renderClosedAccess(page, access, atTable)
    }
    ${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
  </section>`;
}

/** Renders the sentence about the people who can reach the server, without the operator's button. */
const renderForOthers = () =>
  html`<p class="soft friends" data-way="none">${
    usualOrigin
      ? t("friends.open", { address: usualOrigin })
      : `${t("friends.only-here")} ${t(isKeyUsed ? "friends.used" : "friends.console")}`
  }</p>`;

/**
 * Renders the button that lets friends in or, after a tap on that button, the choice of a way. If a
 * way was closed by a fault, also renders the reason.
 * @param {Page} page
 * @param {Access} access
 * @param {boolean} atTable
 */
function renderClosedAccess(page, access, atTable) {
  const { choices, ended } = access;
  if (!isChoosing && !ended)
    return html`<p class="soft">${t("friends.only-here")}</p>
      <button type="button" class="press wide ${atTable ? "main" : ""}" data-do="let-in"
        ?disabled=${!choices.length}
        @click=${() => {
          isChoosing = true;
          page.draw();
        }}>${art("phone")}${t("friends.let-in")}</button>
      ${choices.length ? nothing : html`<p class="soft">${t("friends.none")}</p>`}`;
  const way = (choices.find((choice) => choice.way === chosen) ?? choices[0])?.way;
  const failure = ended ? t("friends.ended", { why: getReason(access) }) : "";
  return html`${failure ? html`<p class="wrong" role="status">${failure}</p>` : nothing}
    <fieldset>
      <legend>${t("friends.how")}</legend>
      ${choices.map(
        (choice) => html`<label class="way">
          <input type="radio" name="way" value=${choice.way} ?checked=${choice.way === way}
            @change=${() => {
              chosen = choice.way;
              page.draw();
            }}>
          <span><b>${getWayTitle(choice)}</b>
            ${choice.way === way ? html`<small>${describeChoice(choice)}</small>` : nothing}</span>
        </label>`,
      )}
    </fieldset>
    <button type="button" class="press main wide ${isBusy ? "pending" : ""}" data-do="open-way"
      @click=${() => requestChange(page, "/api/access", { way })}>${t("friends.let-in")}</button>`;
}

/** Returns the title of a way that the operator can choose. @param {Choice} choice */
function getWayTitle({ program, through }) {
  if (!program) return t("friends.house");
  return t("friends.by", { through: through ?? program });
}

/**
 * Returns a text about a way to let friends in: the program that runs for it, and the service
 * through which the traffic goes.
 * @param {Choice} choice
 */
function describeChoice({ program, through, encrypted }) {
  if (!program) return t("friends.house.what");
  const runs = t(program === "ssh" ? "friends.runs-ssh" : "friends.runs", { program });
  const goes = through ? t("friends.goes", { through }) : "";
  return [runs, goes, encrypted ? "" : t("friends.plain")].filter(Boolean).join(" ");
}

/** Returns the reason why the way is closed or interrupted, as a sentence. @param {Access} access */
function getReason({ way, ended, reason, choices }) {
  const through = choices.find((choice) => choice.way === way)?.through ?? way;
  return reason && reason !== "ended" ? t(`friends.why.${reason}`, { through }) : ended;
}

/**
 * Renders the state of the open way, its address as a QR code, and the button that closes it.
 * @param {Page} page
 * @param {Access} access
 * @param {boolean} atTable
 */
function renderOpenAccess(page, access, atTable) {
  const { origin } = access;
  let news = t("friends.opening");
  if (origin) news = atTable ? t("friends.is-open") : t("friends.open", { address: origin });
  else if (access.reason) news = t("friends.again", { why: getReason(access) });
  return html`<p class="soft" role="status">${news}</p>
    ${
      origin && !atTable
        ? html`<img class="qr" src=${`${resolvePath("/qr.svg")}?v=${encodeURIComponent(origin)}`}
            alt=${t("friends.qr")} width="112" height="112">
          <p class="soft">${t("friends.next")}</p>`
        : nothing
    }
    <button type="button" class="press small ${isBusy ? "pending" : ""}" data-do="close-way"
      @click=${() => requestChange(page, "/api/access/close", {})}>${t("friends.close")}</button>`;
}
