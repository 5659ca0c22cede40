import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";
import { MAX_BODY_BYTES, MAX_UNPACKED_BYTES } from "../limits.ts";

const unzip = promisify(gunzip);

/** Any body may unpack to this much, whatever its ratio. */
const ALWAYS_ALLOWED = 1024 * 1024;
const MAX_RATIO = 100;

/** `most`: the bytes that a body may have. */
export type Unpacked = { bytes: Uint8Array } | NotUnpacked;
export type NotUnpacked = { problem: "too-large"; most: number } | { problem: "unreadable" | "unknown-encoding" };

/** Whether a body may unpack to more than `ALWAYS_ALLOWED`. */
export function mayUnpackLarge(body: Uint8Array, contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && body.byteLength * MAX_RATIO > ALWAYS_ALLOWED;
}

/** Unpacks a body by its `Content-Encoding`, a large one off the event loop; stops when it grows beyond the limits. */
export async function unpackBody(body: Uint8Array, contentEncoding: string | undefined): Promise<Unpacked> {
  if (body.byteLength > MAX_BODY_BYTES) return { problem: "too-large", most: MAX_BODY_BYTES };
  const encoding = contentEncoding?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "" || body.byteLength === 0) return { bytes: body };
  if (encoding !== "gzip" && encoding !== "x-gzip") return { problem: "unknown-encoding" };
  const most = Math.min(MAX_UNPACKED_BYTES, Math.max(ALWAYS_ALLOWED, body.byteLength * MAX_RATIO));
  const limit = { maxOutputLength: most };
  try {
    return { bytes: mayUnpackLarge(body, contentEncoding) ? await unzip(body, limit) : gunzipSync(body, limit) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge ? { problem: "too-large", most } : { problem: "unreadable" };
  }
}
