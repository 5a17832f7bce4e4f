"""Scripts that find faults of a page, such as elements that don't fit, can't be tapped or are out
of sight."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.support.painting import painted

ARRIVED = """async () => {
  for (let frames = 0; frames < 3; frames++) {
    for (const one of document.getAnimations())
      if (one.effect.getComputedTiming().endTime < 5000) one.finish();
    await new Promise(requestAnimationFrame);
  }
}"""
"""Finishes all animations, including those that start after others have ended."""

FAULTS = """() => {
  scrollTo(0, 0);
  const shown = (el) => el.checkVisibility({ visibilityProperty: true });
  const words = (el) => el.textContent.trim().slice(0, 30);
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className} “${words(el)}”`;
  const parts = [
    "main button", "main a", "main input", "main h1", "main p", "main .clock", "main .face",
    "header button", "nav button", "aside li",
  ].join();
  const over = document.querySelector(".sheet");
  // The preparation shows one step. The viewer swipes to those beside it.
  const isBesideShownStep = (step) => {
    if (!step) return false;
    const [own, list] = [step, step.parentElement].map((el) => el.getBoundingClientRect());
    return own.left >= list.right || own.right <= list.left;
  };
  const all = [...document.querySelectorAll(parts)].filter(shown)
    .filter((el) => !over || over.contains(el))
    .filter((el) => !isBesideShownStep(el.closest(".steps > li")))
    .filter((el) => !el.matches("p:empty, p.quiet") || el.textContent.trim());
  const root = document.documentElement;
  const faults = [];
  // A name's background is a little wider than its text.
  const spare = parseFloat(getComputedStyle(root).fontSize) / 8;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
  const boxes = all.map((el) => [el, el.getBoundingClientRect()]);
  for (const [el, box] of boxes) {
    const out = box.left < -0.5 || box.right > innerWidth + 0.5;
    if (out) faults.push(`out at the side: ${name(el)}`);
    // A small element reacts to taps around it.
    const wide = el.clientWidth >= 40 && el.scrollWidth > el.clientWidth + spare;
    const cut = wide && !el.closest(".clip, .tile");
    if (cut) faults.push(`cut off: ${name(el)}`);
  }
  // A touched card rises over its neighbours, and the foot covers the scrolled content, on purpose.
  const lies = (el) => el.matches("button:not(.told), a, .play p, .clock") && !el.closest(".foot");
  const pressed = boxes.filter(([el]) => lies(el));
  for (const count of [...document.querySelectorAll(".tile .count, .gone span")].filter(shown))
  {
    const tile = count.closest(".tile");
    if (count.getBoundingClientRect().right > tile.getBoundingClientRect().right - 2)
      faults.push(`spills: ${name(tile)}`);
  }
  const squashed = boxes.filter(([, box]) => box.width < 8 || box.height < 8);
  for (const [el] of squashed) faults.push(`squashed: ${name(el)}`);
  for (const [at, [one, a]] of pressed.entries())
    for (const [other, b] of pressed.slice(at + 1))
      if (!one.contains(other) && !other.contains(one)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 2) faults.push(`over each other: ${name(one)} and ${name(other)}`);
      }
  const names = document.querySelectorAll("bdi.who, .ring-name, .lane-name");
  for (const el of [...names].filter(shown)) {
    const all = document.createRange();
    all.selectNodeContents(el);
    const text = all.getBoundingClientRect();
    for (let over = el; over !== document.body; over = over.parentElement) {
      const { display, overflowX, textOverflow } = getComputedStyle(over);
      const box = over.getBoundingClientRect();
      if (overflowX === "visible" || overflowX === "auto") continue;
      if (text.left < box.left - 1) faults.push(`a name cut at its start: ${name(el)}`);
      if (textOverflow === "ellipsis" && !/grid|flex/.test(display)) break;
      if (text.right > box.right + 1) faults.push(`a name cut without dots: ${name(el)}`);
    }
  }
  return faults;
}"""
"""Returns the elements that are too wide, cut off, or overlap others."""

TARGETS = """(least) => {
  const within = document.querySelector(".sheet, .boom") ?? document.querySelector("#app");
  const parts = "button:not(:disabled), a[href], input, select, summary";
  const shown = [...within.querySelectorAll(parts)].filter((el) => el.checkVisibility());
  // A switch is tapped by its label. A link within a sentence may be as low as its line.
  const hit = (el) => (el.matches("[type=checkbox], [type=radio]") ? el.closest("label") : el);
  const targets = [...new Set(shown.map(hit))].filter((el) => !el.matches("p a"));
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className}`.trim();
  const reach = [-1, 0, 1].map((side) => side * (least / 2 - 1));
  const faults = [];
  for (const el of targets) {
    el.scrollIntoView({ block: "center" });
    const box = el.getBoundingClientRect();
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const around = reach.flatMap((dx) => reach.map((dy) => [x + dx, y + dy]));
    const there = around.map((point) => document.elementFromPoint(...point));
    const other = there.find((one) => one !== el && !el.contains(one));
    if (other === undefined) continue;
    const size = `${Math.round(box.width)} × ${Math.round(box.height)}`;
    faults.push(`too small: ${name(el)} ${size}, and beside it ${other && name(other)}`);
  }
  scrollTo(0, 0);
  return faults;
}"""
"""Returns a fault for each target that is smaller than ``least`` px and loses taps around its
centre to another element."""

LITTLE = """() => {
  scrollTo(0, 0);
  const getLine = (text, at) => {
    const letter = document.createRange();
    letter.setStart(text, at);
    letter.setEnd(text, at + 1);
    // The first letter after a soft hyphen has two boxes, of which the first is the hyphen's.
    return Math.round([...letter.getClientRects()].at(-1)?.top ?? 0);
  };
  const shown = (el) => el.checkVisibility({ visibilityProperty: true });
  const faults = [];
  const cells = "main .grid.large .cell, main .grid.middle .cell";
  for (const cell of [...document.querySelectorAll(cells)].filter(shown)) {
    const { width, height } = cell.getBoundingClientRect();
    const size = `${Math.round(width)} × ${Math.round(height)}`;
    if (Math.min(width, height) < 24) faults.push(`a small card: ${size}`);
  }
  const pressed = [...document.querySelectorAll("#app button, #app a.press")].filter(shown);
  for (const button of pressed) {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest("bdi, kbd, .unseen") || !shown(text.parentElement)) continue;
      for (const word of text.data.matchAll(/\\p{L}+/gu)) {
        const [from, to] = [word.index, word.index + word[0].length];
        const lines = new Set([from, to - 1].map((at) => getLine(text, at)));
        if (lines.size > 1) faults.push(`a broken word: ${word[0]}`);
      }
    }
  }
  const sheet = document.querySelector(".sheet");
  const told = sheet ? null : document.querySelector("main button.cell.told");
  told?.scrollIntoView({ block: "center" });
  const box = told?.getBoundingClientRect();
  const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (told && !told.contains(hit)) faults.push("a told card out of reach");
  scrollTo(0, 0);
  return faults;
}"""
"""Returns three kinds of faults: cards in the middle that are smaller than 24 px, broken words in
buttons, and a told card that can't be tapped even after scrolling.

Names may break, and other words may break at a soft hyphen."""

ROWS = """() => {
  const shown = [...document.querySelectorAll("#app .press:not(.round, .plain)")]
    .filter((el) => el.checkVisibility());
  const faults = [];
  for (const [at, one] of shown.entries())
    for (const other of shown.slice(at + 1)) {
      if (one.parentElement !== other.parentElement) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const apart = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 4;
      if (!apart && Math.abs(a.height - b.height) > 1)
        faults.push(`not of one height: ${one.textContent.trim()} and ${other.textContent.trim()}`);
    }
  return faults;
}"""
"""Returns the buttons that differ in height from others in their row."""

CHOSEN = """() => [...document.querySelectorAll(
  "#app .press[aria-pressed=true], #app .choice input:checked + span",
)].map((el) => getComputedStyle(el)).map(({ backgroundColor, color }) => backgroundColor + color)"""
"""Returns the background and the text colour of each chosen option, joined into one string."""

HIDDEN = """() => {
  const parts = [...document.querySelectorAll("main button:not(:disabled), main h1")];
  const out = (box) => box.top < 0 || box.bottom > innerHeight + 0.5;
  const hidden = parts.filter((el) => out(el.getBoundingClientRect()));
  return hidden.map((el) => `out of sight: ${el.textContent.trim()}`);
}"""
"""Returns the headlines and buttons outside the first screenful."""

NEXT = """() => {
  scrollTo(0, 0);
  const over = document.querySelector(".boom, .sheet");
  const all = (where) => [...(over ?? document).querySelectorAll(where)]
    .filter((el) => !el.disabled && el.checkVisibility({ visibilityProperty: true }));
  const asked = !over && !!document.querySelector(".now:is(.mood-you, .mood-for)");
  const main = all(".press.main, .leafing .press");
  const steps = main.length || !asked ? main : all(".dock button, .stage button, .cell.able");
  const seen = (el) => {
    const { left, top, right, bottom } = el.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const inside = Math.min(left, top, innerWidth - right, innerHeight - bottom) >= -0.5;
    return inside && (el.contains(hit) || hit.contains(el));
  };
  const hidden = steps.filter((el) => !seen(el)).map((el) => el.textContent.trim());
  return { asked, steps: steps.length, hidden };
}"""
"""Finds the buttons of the viewer's next step: the orange ones, or all actions if none is orange.

Returns whether the game waits for the viewer, the number of these buttons, and the buttons among
them that are out of sight or covered.
"""

PAWS = """(seat) => {
  const seen = (el) => {
    const { width, height } = el.getBoundingClientRect();
    return width > 0 && height > 0 && el.checkVisibility({ visibilityProperty: true });
  };
  const where = `[data-grid="${seat}"], [data-seat="${seat}"] .grid`;
  const grids = [...document.querySelectorAll(where)].filter(seen);
  const told = grids.map((grid) => [...grid.querySelectorAll(".told .art-paw")]);
  return told.map((paws) => paws.length === 1 && paws.every(seen));
}"""
"""Returns, for each visible grid of a seat, true if the grid shows exactly one paw, on the
instructed card."""


def get_least_target_size(size: tuple[int, int]) -> int:
    """Return the minimum size of a target in px. It is larger on a phone, for a thumb."""
    return 44 if size[0] < 900 else 32


AXE = f"""async (options) => {{
  await ({ARRIVED})();
  const {{ violations }} = await axe.run(document, options);
  return violations.flatMap(({{ id, nodes }}) =>
    nodes.map(({{ html }}) => `${{id}}: ${{html.slice(0, 140)}}`));
}}"""
"""Returns the violations that axe finds. Animations must have ended, because a rising sheet doesn't
have its final colours yet."""


def find_violations(page: Page) -> list[str]:
    """Return the accessibility problems that axe finds on the page."""
    if not page.evaluate("window.axe !== undefined"):
        page.evaluate(Axe().axe_script)
    options = {
        "resultTypes": ["violations"],
        "selectors": False,
        "preload": False,
        "iframes": False,
    }
    with painted(page):  # axe ignores what is transparent
        messages: list[str] = page.evaluate(AXE, options)
    return messages
