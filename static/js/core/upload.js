/** Checks the first bytes of a file that the viewer opens in the page. */

/** The first bytes of compressed files: gzip, zip, bzip2, xz, zstd, 7z. */
const PACKED = [
  [31, 139],
  [80, 75, 3, 4],
  [66, 90, 104],
  [253, 55, 122],
  [40, 181, 47],
  [55, 122, 188],
];

/**
 * Returns true if a file with these first bytes can be a text file.
 * @param {Blob} file
 * @returns {Promise<string | null>} key of the sentence with the reason if it can't be, else null
 */
export async function findFileProblem(file) {
  const first = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (PACKED.some((begins) => begins.every((byte, index) => first[index] === byte)))
    return "file.packed";
  const hasByteOrderMark =
    (first[0] === 255 && first[1] === 254) || (first[0] === 254 && first[1] === 255);
  return hasByteOrderMark || first.includes(0) ? "file.encoded" : null;
}
