/** Tests for files that a player opens on the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { findFileProblem } from "../../static/js/core/upload.js";

const GAME = '{"checksum":"0","format":"hiss-game"}';

/** @param {...(string | Uint8Array)} parts */
const file = (...parts) => new Blob(/** @type {BlobPart[]} */ (parts));

test("a compressed file is told from one in another encoding, and from one that can be read", async () => {
  assert.equal(await findFileProblem(file(GAME)), null);
  assert.equal(await findFileProblem(file("\uFEFF", GAME)), null);
  assert.equal(await findFileProblem(file("")), null);
  assert.equal(await findFileProblem(file(gzipSync(GAME))), "file.packed");
  assert.equal(await findFileProblem(file("PK\u0003\u0004…")), "file.packed");
  assert.equal(
    await findFileProblem(file(Buffer.from(`\uFEFF${GAME}`, "utf16le"))),
    "file.encoded",
  );
  assert.equal(await findFileProblem(file(Buffer.from(GAME, "utf16le"))), "file.encoded");
  assert.equal(await findFileProblem(file(Buffer.from(GAME, "utf16le").swap16())), "file.encoded");
});

test("a mark before a file's text is not part of it", async () => {
  assert.deepEqual(JSON.parse(await file("\uFEFF", GAME).text()), JSON.parse(GAME));
});
