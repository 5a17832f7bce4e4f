/**
 * Renders the preparation of a game. It shows the family's steps for preparing the cards, one at a
 * time, and the players, with a mark for those who are ready.
 */
import { html, nothing } from "../core/lit.js";
import { isViewerReady, getSeatName } from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { renderLatecomerNote } from "./dock.js";
import { renderHouseRulesPanel } from "./house.js";
import {
  needsCameraCheck,
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
 * @param {{choice?: Drawn, more?: Drawn}} [own] `choice`: a choice above the steps; `more`: a part
 *   below the players
 */
export function renderSetupPage(ctrl, steps, { choice, more } = {}) {
  const view = /** @type {View} */ (ctrl.view);
  const ready = view.seats.filter((seat) => seat.ready).length;
  const who = html`<section class="panel people" aria-label=${t("setup.who")}>
    <h2>${t("setup.ready", { count: ready, all: view.seats.length })}</h2>
    ${renderPlayers(ctrl, (seat) => html`${renderReadyMark(seat)}${renderDeviceDeckMark(seat)}`)}
    ${
      view.seats.some((seat) => needsCameraCheck(view, seat))
        ? html`<p class="soft">${t("camera.hint")}</p>`
        : nothing
    }
  </section>${more}`;
  const rules = renderHouseRulesPanel(ctrl);
  const cards = html`${view.house ? rules : nothing}${choice}${
    steps.length ? renderSteps(ctrl, steps) : nothing
  }`;
  return html`${renderTopStrip(ctrl)}<main class="page setup" ?inert=${ctrl.showsStoredView}>
    <header class="headline"><h1>${canTakeSeat(ctrl, view) ? getPageTitle(view) : t("setup")}</h1>
      ${canTakeSeat(ctrl, view) ? renderInvitedGame(ctrl) : nothing}</header>
    ${
      canTakeSeat(ctrl, view)
        ? html`${renderWelcome(ctrl)}${renderVisitorForm(ctrl, (name) => ctrl.join?.(name))}`
        : nothing
    }
    ${isViewerReady(view) ? html`${who}${cards}` : html`${cards}${who}`}${view.house ? nothing : rules}
    <div class="foot">${renderCameraNotice(ctrl)}${renderToast(ctrl, "now")}${renderNextAction(
      ctrl,
      view,
      steps.length,
    )}</div>
  </main>`;
}

/** Returns true if the viewer has no seat and may take one. @param {Controller} ctrl @param {View} view */
const canTakeSeat = (ctrl, view) => !view.you && !view.options.locked && !ctrl.waitingSeat;

/** @param {Seat} seat */
const renderReadyMark = ({ ready }) =>
  html`<span class="check ${ready ? "yes" : ""}" role="img"
    aria-label=${t(ready ? "ready.yes" : "ready.no")}>
    ${ready ? art("check") : nothing}
  </span>`;

/**
 * Renders the steps. On a narrow screen each step fills the page, and the viewer swipes or taps to
 * get to the next. On a wide screen the steps are tiles in a row.
 * @param {Controller} ctrl
 * @param {Drawn[]} steps
 */
const renderSteps = (ctrl, steps) =>
  html`<ol class="steps" tabindex="0" aria-label=${t("setup")}
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
 */
function renderNextAction(ctrl, view, steps) {
  if (!view.you) return canTakeSeat(ctrl, view) ? nothing : renderLatecomerNote(ctrl);
  if (!isViewerReady(view)) return renderReadyButton(ctrl, steps);
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
 * shown, a button that leads to the next step comes first.
 * @param {Controller} ctrl
 * @param {number} steps
 */
function renderReadyButton(ctrl, steps) {
  const hasNextStep = ctrl.setupStep < steps - 1;
  const done = renderCommandButton(
    ctrl,
    { type: "ready", ready: true },
    t(steps ? "ready" : "deck.ready"),
    {
      kind: hasNextStep ? "early" : "main wide",
      id: "ready",
    },
  );
  if (!hasNextStep) return done;
  return html`<div class="row leafing">
    <button type="button" class="press main grow" data-do="next"
      @click=${(/** @type {Event} */ event) => scrollToStep(event, ctrl.setupStep + 1)}>
      ${t("setup.next", { at: ctrl.setupStep + 1, all: steps })}
    </button>
    ${done}
  </div>`;
}

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
