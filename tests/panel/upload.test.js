/** Tests for files that a player opens on the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { findFileProblem } from "../../static/js/core/upload.js";

const GAME = '{"checksum":"0","format":"hiss-game"}';

/** @param {...(string | Uint8Array)} parts */
const makeFile = (...parts) => new Blob(/** @type {BlobPart[]} */ (parts));

test("compressed files, wrong encodings and readable files are told apart", async () => {
  assert.equal(await findFileProblem(makeFile(GAME)), null);
  assert.equal(await findFileProblem(makeFile("\uFEFF", GAME)), null);
  assert.equal(await findFileProblem(makeFile("")), null);
  assert.equal(await findFileProblem(makeFile(gzipSync(GAME))), "file.packed");
  assert.equal(await findFileProblem(makeFile("PK\u0003\u0004…")), "file.packed");
  assert.equal(
    await findFileProblem(makeFile(Buffer.from(`\uFEFF${GAME}`, "utf16le"))),
    "file.encoded",
  );
  assert.equal(await findFileProblem(makeFile(Buffer.from(GAME, "utf16le"))), "file.encoded");
  assert.equal(
    await findFileProblem(makeFile(Buffer.from(GAME, "utf16le").swap16())),
    "file.encoded",
  );
});

test("a byte order mark isn't part of a file's text", async () => {
  assert.deepEqual(JSON.parse(await makeFile("\uFEFF", GAME).text()), JSON.parse(GAME));
});
