/** Puts a drawing or a text on the clipboard; without one, a drawing is saved as a file. */

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];
const SCALE = 3;

/** @typedef {"copied" | "saved" | "failed"} Done */

/**
 * By the clipboard, which pages have over HTTPS and on this machine; elsewhere as a selection.
 * @param {string} text
 * @returns {Promise<Done>}
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return copySelected(text) ? "copied" : "failed";
  }
}

/** @param {string} text */
function copySelected(text) {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

/** @param {SVGSVGElement} drawn @param {string} name @returns {Promise<Done>} */
export async function copyPicture(drawn, name) {
  const png = paint(drawn);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    return "copied";
  } catch {
    return save(png, name);
  }
}

/** @param {Promise<Blob>} png @param {string} name @returns {Promise<Done>} */
export async function save(png, name) {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await png);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return "saved";
  } catch {
    return "failed";
  }
}

/** @param {SVGSVGElement} drawn @returns {Promise<Blob>} */
async function paint(drawn) {
  const source = new XMLSerializer().serializeToString(standalone(drawn));
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawn.width.baseVal.value * SCALE;
  canvas.height = drawn.height.baseVal.value * SCALE;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture")))),
  );
}

/**
 * A copy that carries its looks in attributes, since the page's sheets don't reach it.
 * @param {SVGSVGElement} drawn
 */
function standalone(drawn) {
  const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const shown = drawn.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, at) => {
    const looks = getComputedStyle(/** @type {Element} */ (shown[at]));
    for (const style of STYLES) part.setAttribute(style, looks.getPropertyValue(style));
    part.removeAttribute("class");
  });
  return copy;
}
