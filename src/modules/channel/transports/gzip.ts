import { promisify } from "node:util";
import { constants, createGunzip, gunzip, gunzipSync } from "node:zlib";
import { MAX_PREFIX_BYTES, MAX_BODY_BYTES, MAX_UNPACKED_BYTES } from "../limits.ts";

const unzip = promisify(gunzip);

/** Up to this size in bytes, any compression ratio is allowed. */
const ALWAYS_ALLOWED_BYTES = 1024 * 1024;
const MAX_COMPRESSION_RATIO = 100;

export type UnpackResult = { bytes: Uint8Array } | UnpackFailure;
export type UnpackFailure = { problem: "too-large"; limit: number } | { problem: "unreadable" | "unknown-encoding" };

export function mayUnpackLarge(body: Uint8Array, contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && body.byteLength * MAX_COMPRESSION_RATIO > ALWAYS_ALLOWED_BYTES;
}

/** Unpacks a body according to its `Content-Encoding`. Large bodies are unpacked off the event loop. */
export async function unpackBody(body: Uint8Array, contentEncoding: string | undefined): Promise<UnpackResult> {
  if (body.byteLength > MAX_BODY_BYTES) return { problem: "too-large", limit: MAX_BODY_BYTES };
  const encoding = parseEncoding(contentEncoding);
  if (encoding === "identity" || body.byteLength === 0) return { bytes: body };
  if (encoding === "other") return { problem: "unknown-encoding" };
  const limit = Math.min(MAX_UNPACKED_BYTES, Math.max(ALWAYS_ALLOWED_BYTES, body.byteLength * MAX_COMPRESSION_RATIO));
  const options = { maxOutputLength: limit };
  try {
    return { bytes: mayUnpackLarge(body, contentEncoding) ? await unzip(body, options) : gunzipSync(body, options) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge ? { problem: "too-large", limit } : { problem: "unreadable" };
  }
}

export type UnpackedPrefix = { bytes: Uint8Array; isComplete: boolean };

export async function unpackPrefix(
  { bytes, isComplete }: UnpackedPrefix,
  contentEncoding: string | undefined,
): Promise<UnpackedPrefix | { problem: "unreadable" | "unknown-encoding" }> {
  const encoding = parseEncoding(contentEncoding);
  if (encoding === "identity" || bytes.byteLength === 0) return truncate({ bytes, isComplete });
  if (encoding === "other") return { problem: "unknown-encoding" };
  const gunzipStream = createGunzip({
    chunkSize: MAX_PREFIX_BYTES,
    finishFlush: isComplete ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of gunzipStream.end(bytes) as AsyncIterable<Uint8Array>) {
      parts.push(part);
      length += part.byteLength;
      if (length > MAX_PREFIX_BYTES) break;
    }
  } catch {
    return { problem: "unreadable" };
  }
  return truncate({ bytes: Buffer.concat(parts), isComplete });
}

function truncate({ bytes, isComplete }: UnpackedPrefix): UnpackedPrefix {
  return { bytes: bytes.subarray(0, MAX_PREFIX_BYTES), isComplete: isComplete && bytes.byteLength <= MAX_PREFIX_BYTES };
}

function parseEncoding(contentEncoding = ""): "identity" | "gzip" | "other" {
  const name = contentEncoding.trim().toLowerCase();
  if (name === "" || name === "identity") return "identity";
  return name === "gzip" || name === "x-gzip" ? "gzip" : "other";
}
