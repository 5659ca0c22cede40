import type { Kind } from "../calendar/attributes.ts";
import { ByteReader, ByteWriter } from "../calendar/bytes.ts";

/** What takes a page of nights back to before a message. */
export type PageUndo = { kind: Kind; category: string; lane: string; span: number; undo: Uint8Array };

const VERSION = 1;
const KINDS: readonly Kind[] = ["inventory", "rate"];

/** A list of undo records that this version cannot read. */
export class UndoFormatError extends Error {
  override readonly name = "UndoFormatError";
}

const writer = new ByteWriter();

/**
 * Writes all undo records of a message as one: byte version, 1; varint number of records; then each as
 * byte kind (0 inventory, 1 rate), category and lane as varint length and UTF-8, varint span, varint length and the record.
 */
export function packUndos(undos: readonly PageUndo[]): Uint8Array {
  writer.start();
  writer.byte(VERSION);
  writer.varint(undos.length);
  for (const { kind, category, lane, span, undo } of undos) {
    writer.byte(KINDS.indexOf(kind));
    writer.text(category);
    writer.text(lane);
    writer.varint(span);
    writer.bytes(undo);
  }
  return writer.take();
}

export function unpackUndos(packed: Uint8Array): PageUndo[] {
  const reader = new ByteReader(packed);
  const version = reader.byte();
  if (version !== VERSION) throw new UndoFormatError(`Undo records have version ${version}; this version of Roomrack reads ${VERSION}`);
  return Array.from({ length: reader.varint() }, () => readUndo(reader));
}

function readUndo(reader: ByteReader): PageUndo {
  const kind = KINDS[reader.byte()];
  if (kind === undefined) throw new UndoFormatError("An undo record is of a kind of page that this version does not know");
  return { kind, category: reader.text(), lane: reader.text(), span: reader.varint(), undo: reader.part() };
}
