import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Bodies from this size on are compressed; for smaller ones making the compressor takes longer than the message. */
const LARGE = 4_096;
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Which of the two bodies is compressed with zstd: none, both, or only the request. */
export type Encoding = "plain" | "zstd" | "zstd-request";

export type Packed = { bytes: Uint8Array; compressed: boolean };
export type PackedBodies = { encoding: Encoding; request: Uint8Array; answer: Uint8Array };

const compress = promisify(zstdCompress);

export function isLarge(body: Uint8Array): boolean {
  return body.length >= LARGE;
}

/** Compresses a body off the event loop. */
export async function packLarge(body: Uint8Array): Promise<Packed> {
  return { bytes: await compress(body, OPTIONS), compressed: true };
}

export function keepPlain(body: Uint8Array): Packed {
  return { bytes: body, compressed: false };
}

/** The two bodies as stored. Answers are nearly always small. */
export function packBodies(request: Packed, answer: Uint8Array): PackedBodies {
  if (!isLarge(answer)) return { encoding: request.compressed ? "zstd-request" : "plain", request: request.bytes, answer };
  const bytes = request.compressed ? request.bytes : zstdCompressSync(request.bytes, OPTIONS);
  return { encoding: "zstd", request: bytes, answer: zstdCompressSync(answer, OPTIONS) };
}

/** The bodies as they were received and answered. */
export function unpackBodies({ encoding, request, answer }: { encoding: string; request: Uint8Array; answer: Uint8Array }) {
  return {
    request: encoding === "plain" ? request : zstdDecompressSync(request),
    answer: encoding === "zstd" ? zstdDecompressSync(answer) : answer,
  };
}
