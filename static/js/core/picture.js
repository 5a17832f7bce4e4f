/**
 * Copies a drawing or a text to the clipboard. If a drawing can't be copied, it is saved as a file.
 */
import { getPanelDocument, getPanelWindow } from "./page.js";

/** The computed styles that a copied drawing needs as attributes. */
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
/** Pixels of the picture per CSS pixel. */
const SCALE = 3;

/** @typedef {"copied" | "saved" | "failed"} CopyResult */

/**
 * Copies text to the clipboard. On pages that can't use the clipboard API (plain HTTP from another
 * machine), copies a selection instead.
 * @param {string} text
 * @returns {Promise<CopyResult>}
 */
export async function copyText(text) {
  try {
    await getPanelWindow().navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return copyBySelection(text) ? "copied" : "failed";
  }
}

/**
 * Copies text by selecting it in an invisible text field. Returns true on success.
 * @param {string} text
 */
function copyBySelection(text) {
  const doc = getPanelDocument();
  const focusedBefore = /** @type {HTMLElement | null} */ (doc.activeElement);
  const field = doc.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  doc.body.append(field);
  field.select();
  const copied = doc.execCommand("copy");
  field.remove();
  focusedBefore?.focus?.();
  return copied;
}

/**
 * Copies a drawing to the clipboard as PNG, or saves it as a file with this name.
 * @param {SVGSVGElement} drawn
 * @param {string} name
 * @returns {Promise<CopyResult>}
 */
export async function copyPicture(drawn, name) {
  const png = renderPng(drawn);
  try {
    await getPanelWindow().navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    return "copied";
  } catch {
    return savePicture(png, name);
  }
}

/**
 * Saves a picture as a file.
 * @param {Promise<Blob>} png
 * @param {string} name
 * @returns {Promise<CopyResult>}
 */
export async function savePicture(png, name) {
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

/** Renders a drawing as PNG. @param {SVGSVGElement} drawn @returns {Promise<Blob>} */
async function renderPng(drawn) {
  const source = new XMLSerializer().serializeToString(copyWithStyles(drawn));
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
 * Returns a copy of a drawing that has its computed styles as attributes, because the page's style
 * sheets don't apply to a standalone picture.
 * @param {SVGSVGElement} drawn
 */
function copyWithStyles(drawn) {
  const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const originals = drawn.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, at) => {
    const computedStyle = getComputedStyle(/** @type {Element} */ (originals[at]));
    for (const style of STYLES) part.setAttribute(style, computedStyle.getPropertyValue(style));
    part.removeAttribute("class");
  });
  return copy;
}
