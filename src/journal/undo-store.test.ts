import assert from "node:assert/strict";
import { test } from "node:test";
import { packUndos, type PageUndo, UndoFormatError, unpackUndos } from "./undo-store.ts";

const UNDOS: readonly PageUndo[] = [
  { kind: "inventory", category: "DBL", lane: "", span: 54, undo: Buffer.from("01", "hex") },
  { kind: "rate", category: "SGL", lane: "BAR", span: 300, undo: Buffer.from("0203", "hex") },
];
/** Stored databases contain these bytes. A change of the format needs a new version and a reader for the old one. */
const STORED = Buffer.from("0102 00 0344424c 00 36 0101 01 0353474c 03424152 ac02 020203".replaceAll(" ", ""), "hex");

test("writes and reads undo records in the documented format", () => {
  assert.deepEqual(Buffer.from(packUndos(UNDOS)), STORED);
  assert.deepEqual(
    unpackUndos(STORED).map((record) => ({ ...record, undo: Buffer.from(record.undo) })),
    UNDOS,
  );
});

test("rejects unknown format versions and page types", () => {
  const changed = (at: number, value: number) => Object.assign(Buffer.from(STORED), { [at]: value });
  assert.throws(
    () => unpackUndos(changed(0, 2)),
    new UndoFormatError("Undo records have format version 2; this version of Roomrack supports only 1"),
  );
  assert.throws(() => unpackUndos(changed(2, 2)), UndoFormatError);
});
