/** The viewer's choice of light or dark, carried to the page. */

/** @param {string | undefined} theme */
export function wear(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
