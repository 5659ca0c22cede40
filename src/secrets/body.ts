import { findSecrets, type SearchOptions } from "./find.ts";
import { maskSecrets } from "./mask.ts";

export const MASKED = "[masked]";

/** The body with its secrets masked, whatever its encoding. */
export function maskBody(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const masked = maskBytes(bytes);
  return masked.includes(0) ? maskWide(masked) : masked;
}

/** The same for a body that nothing could read. Compressed data is left out whole, since it may hold secrets that can't be found. */
export function maskUnread(body: Uint8Array): Uint8Array {
  const beginning = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOKED_AT));
  return CONTROLS.test(beginning.toString("latin1")) ? Buffer.from(`[masked: ${body.byteLength} bytes that are not text]`) : maskBody(body);
}

const LOOKED_AT = 4_096;
/** Text has no control characters except for escapes. */
const CONTROLS = /[\u0001-\u0008\u000e-\u001a]/;

function maskBytes(bytes: Buffer): Buffer {
  const isXml = bytes[0] === LESS_THAN;
  return hasSecrets(bytes, isXml) ? Buffer.from(mask(bytes.toString("latin1"), { isXml }), "latin1") : bytes;
}

function mask(text: string, options: SearchOptions = {}): string {
  return maskSecrets(text, { find: [(one) => findSecrets(one, options)], replace: () => MASKED });
}

const LESS_THAN = 0x3c;

/** Looks at one part after the other: the whole text of each message would be much garbage. */
function hasSecrets(bytes: Buffer, isXml: boolean): boolean {
  for (let from = 0; from < bytes.length; from += PART_LENGTH) {
    const text = bytes.toString("latin1", from, from + PART_LENGTH + OVERLAP);
    if (mask(text, { isXml, mostMarks: MOST_MARKS_IN_PART }) !== text) return true;
  }
  return false;
}

const PART_LENGTH = 64 * 1024;
/** More than a name and the beginning of its value take. */
const OVERLAP = 2_048;
/** A part with more is hostile. The search of the whole body ends early then, but that of all parts would not. */
const MOST_MARKS_IN_PART = 2_000;

/** UTF-16 in either byte order. It may begin at any byte, as part of a form. */
function maskWide(bytes: Buffer): Buffer {
  let masked = bytes;
  for (const first of [0, 1]) {
    masked = maskUtf16(masked, first);
    masked = swapPairs(maskUtf16(swapPairs(masked, first), first), first);
  }
  return masked;
}

/** The byte before the first pair counts as a letter: read in the other byte order, a text has its first letter there. */
function maskUtf16(bytes: Buffer, first: number): Buffer {
  const end = endOfPairs(bytes, first);
  const text = bytes.toString("latin1", 0, first) + bytes.toString("utf16le", first, end);
  const masked = mask(text);
  if (masked === text) return bytes;
  return Buffer.concat([bytes.subarray(0, first), Buffer.from(masked.slice(first), "utf16le"), bytes.subarray(end)]);
}

function swapPairs(bytes: Buffer, first: number): Buffer {
  const swapped = Buffer.from(bytes);
  swapped.subarray(first, endOfPairs(bytes, first)).swap16();
  return swapped;
}

/** Half a pair may be left at the end. */
function endOfPairs(bytes: Buffer, first: number): number {
  return bytes.length - ((bytes.length - first) % 2);
}
