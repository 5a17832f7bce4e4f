/**
 * Renders the preparation of a game. It shows the family's steps for preparing the cards, one at a
 * time, and the players, with a mark for those who are ready.
 */
import { html, nothing, ref } from "../core/lit.js";
import { isViewerReady, getSeatName } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { describeEvent } from "../core/wording.js";
import { renderLatecomerNote } from "./dock.js";
import { renderHouseRulesPanel } from "./house.js";
import {
  isAway,
  renderDeviceDeckMark,
  renderPlayers,
  getPageTitle,
  renderVisitorForm,
  renderInvitedGame,
  renderWelcome,
} from "./lobby.js";
import {
  art,
  renderPlayerName,
  renderCommandButton,
  renderSentence,
  renderToast,
  renderTopStrip,
} from "./parts.js";
import { renderCameraNotice } from "./sheets.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Drawn, Seat, View } from "../core/types.js" */

/**
 * Renders the preparation page. Until the viewer is ready, the steps are above the players,
 * afterwards below them.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps the steps with real cards; empty if there is nothing to prepare
 * @param {{choice?: Drawn, check?: Drawn, more?: Drawn}} [own] `choice`: a part above the steps;
 *   `check`: a last step that can be skipped; `more`: a part below the players
 */
export function renderSetupPage(ctrl, steps, { choice, check, more } = {}) {
  const view = /** @type {View} */ (ctrl.view);
  const ready = view.seats.filter((seat) => seat.ready).length;
  const who = html`<section class="panel people" aria-label=${t("setup.who")}>
    <h2>${t("setup.ready", { count: ready, all: view.seats.length })}</h2>
    ${renderPlayers(ctrl, (seat) => html`${renderReadyMark(seat)}${renderDeviceDeckMark(seat)}`)}
  </section>${more}`;
  const rules = renderHouseRulesPanel(ctrl);
  const leaves = check ? [...steps, check] : steps;
  const cards = html`${view.house ? rules : nothing}${choice}${
    leaves.length ? renderSteps(ctrl, leaves) : nothing
  }`;
  return html`${renderTopStrip(ctrl)}<main class="page setup" ?inert=${ctrl.showsStoredView}>
    <header class="headline"><h1>${canTakeSeat(ctrl, view) ? getPageTitle(view) : getSetupTitle(view)}</h1>
      ${canTakeSeat(ctrl, view) ? renderInvitedGame(ctrl) : nothing}</header>
    ${
      canTakeSeat(ctrl, view)
        ? html`${renderWelcome(ctrl)}${renderVisitorForm(ctrl, (name) => ctrl.join?.(name))}`
        : nothing
    }
    ${isViewerReady(view) ? html`${who}${cards}` : html`${cards}${who}`}${view.house ? nothing : rules}
    <div class="foot">${renderNews(ctrl, view)}${renderCameraNotice(ctrl)}${renderToast(
      ctrl,
      "now",
    )}${renderNextAction(ctrl, view, leaves.length, t(steps.length ? "ready" : "deck.ready"))}</div>
  </main>`;
}

/** Returns true if the viewer has no seat and may take one. @param {Controller} ctrl @param {View} view */
const canTakeSeat = (ctrl, view) => !view.you && !view.options.locked && !ctrl.waitingSeat;

/** Returns the page's title, which says who is ready. @param {View} view */
function getSetupTitle(view) {
  if (view.seats.every((seat) => seat.ready)) return t("setup.all");
  return t(isViewerReady(view) ? "setup.you" : "setup");
}

/**
 * Renders the players who are away, and the newest line of the log about others, such as "Bea is
 * ready". It stays in sight below the steps.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderNews(ctrl, view) {
  const away = view.seats.filter((seat) => isAway(ctrl, seat)).map((seat) => seat.name);
  const newest = view.log.findLast(
    ({ type, text, facts }) => text && type !== "prepared" && facts.seat !== ctrl.me,
  );
  if (!away.length && !newest) return nothing;
  return html`<p class="news" role="status">
    ${away.length ? html`<b>${t("news.away", { names: joinNames(away), count: away.length })}</b>` : nothing}
    ${newest ? html`<span class="said">${describeEvent(newest, view, ctrl.variant)}</span>` : nothing}
  </p>`;
}

/** @param {Seat} seat */
const renderReadyMark = ({ ready }) =>
  html`<span class="check ${ready ? "yes" : ""}" role="img"
    aria-label=${t(ready ? "ready.yes" : "ready.no")}>
    ${ready ? art("check") : nothing}
  </span>`;

/** @type {WeakMap<Controller, (list?: Element) => void>} */
const stepResets = new WeakMap();

/**
 * Returns the function that goes to the first step when the list of steps is drawn anew, because a
 * new list shows its first step. Each drawing gets the same function, so lit calls it only for a new
 * list.
 * @param {Controller} ctrl
 */
function getStepReset(ctrl) {
  const reset =
    stepResets.get(ctrl) ??
    ((/** @type {Element | undefined} */ list) => {
      if (list && ctrl.setupStep) ctrl.set({ setupStep: 0 });
    });
  stepResets.set(ctrl, reset);
  return reset;
}

/**
 * Renders the steps. On a narrow screen each step fills the page, and the viewer swipes or taps to
 * get to the next. On a wide screen the steps are tiles in a row.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps
 */
const renderSteps = (ctrl, steps) =>
  html`<ol class="steps" tabindex="0" ${ref(getStepReset(ctrl))} aria-label=${t("setup")}
    @scroll=${(/** @type {Event} */ event) => {
      const list = /** @type {HTMLElement} */ (event.currentTarget);
      const leaf = Math.round(list.scrollLeft / list.clientWidth);
      if (leaf !== ctrl.setupStep) ctrl.set({ setupStep: leaf });
    }}>
    ${steps.map((step) => html`<li class="panel">${step}</li>`)}
  </ol>`;

/** Scrolls to a step. @param {Event} event @param {number} leaf */
function scrollToStep({ currentTarget }, leaf) {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const steps = button.closest("main")?.querySelector(".steps")?.children;
  steps?.[leaf]?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Renders the button for the viewer's next action, or the names of the players for whom the table
 * waits.
 * @param {Controller} ctrl
 * @param {View} view
 * @param {number} steps
 * @param {string} done the text of the button with which the viewer reports that they are ready
 */
function renderNextAction(ctrl, view, steps, done) {
  if (!view.you) return canTakeSeat(ctrl, view) ? nothing : renderLatecomerNote(ctrl);
  if (!isViewerReady(view)) return renderReadyButton(ctrl, steps, done);
  const waits = view.seats.filter((seat) => !seat.ready);
  const spoken = view.you.host && waits.find((seat) => !seat.panel);
  if (spoken)
    return renderCommandButton(
      ctrl,
      { type: "ready", as: spoken.seat, ready: true },
      renderSentence("ready.for", { who: renderPlayerName(spoken.name) }),
      { kind: "main wide", id: `ready-${spoken.seat}` },
    );
  if (!waits.length && view.you.host) return renderFirstPlayerChoice(ctrl, view);
  const words = waits.length
    ? t("setup.waits", { names: joinNames(waits.map((seat) => seat.name)) })
    : t("setup.picks", { name: getSeatName(view, view.host) });
  return html`<p class="quiet">${words}</p>${renderUnreadyButton(ctrl)}`;
}

/** @param {Controller} ctrl */
const renderUnreadyButton = (ctrl) =>
  renderCommandButton(ctrl, { type: "ready", ready: false }, t("ready.not"), {
    kind: "plain small",
    id: "unready",
  });

/**
 * Renders the button with which the viewer reports that they are ready. Until the last step is
 * shown, a button that leads to the next step comes first. From the second step on, there is also a
 * button that leads back.
 * @param {Controller} ctrl
 * @param {number} steps
 * @param {string} label
 */
function renderReadyButton(ctrl, steps, label) {
  const step = Math.min(ctrl.setupStep, Math.max(0, steps - 1));
  const hasNextStep = step < steps - 1;
  const done = renderCommandButton(ctrl, { type: "ready", ready: true }, label, {
    kind: hasNextStep ? "early" : "main grow",
    id: "ready",
  });
  return html`<div class="row leafing">
    ${step > 0 ? renderLeafButton("previous", step - 1, art("previous")) : nothing}
    ${
      hasNextStep
        ? renderLeafButton("next", step + 1, t("setup.next", { at: step + 1, all: steps }))
        : nothing
    }
    ${done}
  </div>`;
}

/**
 * Renders a button that scrolls to a step.
 * @param {"previous" | "next"} name
 * @param {number} leaf
 * @param {Drawn} label
 */
const renderLeafButton = (name, leaf, label) =>
  html`<button type="button" class="press ${name === "next" ? "main grow" : ""}" data-do=${name}
    aria-label=${name === "previous" ? t("leaf.back") : nothing}
    @click=${(/** @type {Event} */ event) => scrollToStep(event, leaf)}>${label}</button>`;

/** Renders the host's choice of the first player. @param {Controller} ctrl @param {View} view */
function renderFirstPlayerChoice(ctrl, view) {
  const lot = { kind: "main wide", id: "begin-lot" };
  return html`<section class="firsts" aria-label=${t("setup.first")}>
    <h2>${t("setup.first")}</h2>
    ${renderCommandButton(ctrl, { type: "begin", first: "lot" }, t("setup.lot"), lot)}
    <p class="soft">${t(`setup.silly.${getSillyReason(view)}`)}</p>
    <div class="row wrap">
      ${view.seats.map((seat) =>
        renderCommandButton(
          ctrl,
          { type: "begin", first: seat.seat },
          renderPlayerName(seat.name),
          {
            id: `begin-${seat.seat}`,
          },
        ),
      )}
    </div>
  </section>`;
}

const SILLY_REASONS = 10;

/**
 * Returns the number of a silly reason to go first, such as having yawned last. The number changes
 * with each game.
 * @param {View} view
 */
const getSillyReason = ({ table, game }) =>
  [...table].reduce((sum, letter) => sum + letter.charCodeAt(0), game) % SILLY_REASONS;
