import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { MessageBodyRow } from "../db/schema.ts";

export type PackedRequest = { bytes: Uint8Array; compressed: boolean };

/** Smaller bodies are not compressed: setting up the compressor takes longer than handling the message. */
const MIN_COMPRESSED_BYTES = 4_096;
const COMPRESSION_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compress = promisify(zstdCompress);

/** Compresses a large request off the event loop. */
export async function packRequest(request: Uint8Array): Promise<PackedRequest> {
  return isLarge(request)
    ? { bytes: await compress(request, COMPRESSION_OPTIONS), compressed: true }
    : { bytes: request, compressed: false };
}

function isLarge(body: Uint8Array): boolean {
  return body.length >= MIN_COMPRESSED_BYTES;
}

export type PackedBodies = Pick<MessageBodyRow, "encoding" | "request" | "answer">;

export function packBodies(request: PackedRequest, answer: Uint8Array): PackedBodies {
  if (!isLarge(answer)) return { encoding: request.compressed ? "zstd-request" : "plain", request: request.bytes, answer };
  const bytes = request.compressed ? request.bytes : zstdCompressSync(request.bytes, COMPRESSION_OPTIONS);
  return { encoding: "zstd", request: bytes, answer: zstdCompressSync(answer, COMPRESSION_OPTIONS) };
}

export function unpackBodies({ encoding, request, answer }: PackedBodies) {
  return {
    request: encoding === "plain" ? request : zstdDecompressSync(request),
    answer: encoding === "zstd" ? zstdDecompressSync(answer) : answer,
  };
}
