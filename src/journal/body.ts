import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Database } from "../db/database.ts";
import type { MessageBodyRow } from "../db/schema.ts";
import type { Work } from "./work.ts";

/** A request as it is kept. */
export type Packed = { bytes: Uint8Array; compressed: boolean };

/** For each database the last message that is still being compressed, by property. */
const turns = new WeakMap<Database, Map<string, Promise<unknown>>>();

/** Packs the request off the event loop; messages of one property come out in the order they went in. */
export async function packInTurn(database: Database, { property, request, packed }: Work): Promise<Packed> {
  if (property === undefined) return packed ?? pack(request);
  const last = turns.getOrInsertComputed(database, () => new Map<string, Promise<unknown>>());
  const before = last.get(property);
  if (!before && !isLarge(request)) return plain(request);
  const turn = Promise.all([packed ?? pack(request), before?.catch(() => {})]);
  last.set(property, turn);
  try {
    return (await turn)[0];
  } finally {
    if (last.get(property) === turn) last.delete(property);
  }
}

/** Begins to pack a request while it is still being read. */
export function packAhead(request: Uint8Array): Promise<Packed> {
  const packed = pack(request);
  packed.catch(() => {});
  return packed;
}

/** Bodies from this size on are compressed; for smaller ones making the compressor takes longer than the message. */
const LARGE = 4_096;
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compress = promisify(zstdCompress);

async function pack(request: Uint8Array): Promise<Packed> {
  return isLarge(request) ? { bytes: await compress(request, OPTIONS), compressed: true } : plain(request);
}

function isLarge(body: Uint8Array): boolean {
  return body.length >= LARGE;
}

function plain(bytes: Uint8Array): Packed {
  return { bytes, compressed: false };
}

/** A request and its answer as stored. */
export type PackedBodies = Pick<MessageBodyRow, "encoding" | "request" | "answer">;

/** Packs an answer off the event loop; `undefined` when it is small. */
export async function packAnswer(answer: Uint8Array): Promise<Uint8Array | undefined> {
  return isLarge(answer) ? compress(answer, OPTIONS) : undefined;
}

/** The two bodies as stored. Answers are nearly always small; `packed` is from `packAnswer`, when that was called. */
export function packBodies(request: Packed, answer: Uint8Array, packed?: Uint8Array): PackedBodies {
  if (!isLarge(answer)) return { encoding: request.compressed ? "zstd-request" : "plain", request: request.bytes, answer };
  const bytes = request.compressed ? request.bytes : zstdCompressSync(request.bytes, OPTIONS);
  return { encoding: "zstd", request: bytes, answer: packed ?? zstdCompressSync(answer, OPTIONS) };
}

/** The bodies as they were received and answered. */
export function unpackBodies({ encoding, request, answer }: PackedBodies) {
  return {
    request: encoding === "plain" ? request : zstdDecompressSync(request),
    answer: encoding === "zstd" ? zstdDecompressSync(answer) : answer,
  };
}
