import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { MessageBodyRow } from "../db/schema.ts";

/** A request as it is stored. */
export type Packed = { bytes: Uint8Array; compressed: boolean };

/** Bodies of this size and more are compressed; for smaller ones, setting up the compressor takes longer than the message. */
const LARGE = 4_096;
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compress = promisify(zstdCompress);

/** Compresses a large request off the event loop. */
export async function packRequest(request: Uint8Array): Promise<Packed> {
  return isLarge(request) ? { bytes: await compress(request, OPTIONS), compressed: true } : { bytes: request, compressed: false };
}

function isLarge(body: Uint8Array): boolean {
  return body.length >= LARGE;
}

/** A request and its answer as stored. */
export type PackedBodies = Pick<MessageBodyRow, "encoding" | "request" | "answer">;

/** The two bodies as stored. Answers are nearly always small. */
export function packBodies(request: Packed, answer: Uint8Array): PackedBodies {
  if (!isLarge(answer)) return { encoding: request.compressed ? "zstd-request" : "plain", request: request.bytes, answer };
  const bytes = request.compressed ? request.bytes : zstdCompressSync(request.bytes, OPTIONS);
  return { encoding: "zstd", request: bytes, answer: zstdCompressSync(answer, OPTIONS) };
}

/** The bodies as they were received and answered. */
export function unpackBodies({ encoding, request, answer }: PackedBodies) {
  return {
    request: encoding === "plain" ? request : zstdDecompressSync(request),
    answer: encoding === "zstd" ? zstdDecompressSync(answer) : answer,
  };
}
