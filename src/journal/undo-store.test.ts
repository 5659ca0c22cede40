import assert from "node:assert/strict";
import { test } from "node:test";
import { packUndos, type PageUndo, UndoFormatError, unpackUndos } from "./undo-store.ts";

const UNDOS: readonly PageUndo[] = [
  { kind: "inventory", category: "DBL", lane: "", span: 54, undo: Buffer.from("01", "hex") },
  { kind: "rate", category: "SGL", lane: "BAR", span: 300, undo: Buffer.from("0203", "hex") },
];
/** Databases hold these bytes: whoever has to change them needs a new version, and a way to read the old one. */
const STORED = Buffer.from("0102 00 0344424c 00 36 0101 01 0353474c 03424152 ac02 020203".replaceAll(" ", ""), "hex");

test("a list of undo records has the bytes that it always had", () => {
  assert.deepEqual(Buffer.from(packUndos(UNDOS)), STORED);
  assert.deepEqual(
    unpackUndos(STORED).map((record) => ({ ...record, undo: Buffer.from(record.undo) })),
    UNDOS,
  );
});

test("another version and another kind of page are refused loudly", () => {
  const changed = (at: number, value: number) => Object.assign(Buffer.from(STORED), { [at]: value });
  assert.throws(() => unpackUndos(changed(0, 2)), new UndoFormatError("Undo records have version 2; this version of Roomrack reads 1"));
  assert.throws(() => unpackUndos(changed(2, 2)), UndoFormatError);
});
