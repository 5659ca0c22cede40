import { findSecrets, type SearchOptions } from "./find.ts";
import type { TextRange } from "./values.ts";

/** How to mask secrets. The functions in `find` run in order. */
export type MaskOptions = { find: readonly ((text: string) => readonly TextRange[])[]; replace(secret: string): string };

/** Replaces secrets, including percent-encoded ones. Returns the same string if there are none. */
export function maskSecrets(text: string, { find, replace }: MaskOptions): string {
  let masked = text;
  for (const findIn of find) masked = maskText(masked, findIn(masked), replace);
  if (!masked.includes("%") || !ESCAPE_PATTERN.test(masked)) return masked;
  for (const findIn of find) masked = maskEncoded(masked, findIn, replace);
  return masked;
}

const ESCAPE_PATTERN = /%[\da-f]{2}/i;

function maskText(text: string, found: readonly TextRange[], replace: MaskOptions["replace"]): string {
  let masked = "";
  let at = 0;
  for (const { from, to } of found) {
    masked += text.slice(at, from) + replace(text.slice(from, to));
    at = to;
  }
  return at === 0 ? text : masked + text.slice(at);
}

function maskEncoded(text: string, find: MaskOptions["find"][number], replace: MaskOptions["replace"]): string {
  const decodedText = decodeEscapes(text);
  let masked = "";
  let at = 0;
  let decoded = 0;
  let encoded = 0;
  const encodedFrom = (offset: number) => {
    for (; decoded < offset; decoded++) encoded += escapedByte(text, encoded) === undefined ? 1 : 3;
    return encoded;
  };
  for (const { from, to } of find(decodedText)) {
    masked += text.slice(at, encodedFrom(from)) + replace(decodedText.slice(from, to));
    at = encodedFrom(to);
  }
  return at === 0 ? text : masked + text.slice(at);
}

/** Decodes each escape to one character, so that offsets can be mapped. Characters outside Latin-1 become `ÿ`. */
function decodeEscapes(text: string): string {
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = escapedByte(text, at);
    bytes[length++] = byte ?? Math.min(text.charCodeAt(at), 0xff);
    if (byte !== undefined) at += 2;
  }
  return bytes.toString("latin1", 0, length);
}

const PERCENT_CODE = 0x25;

function escapedByte(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== PERCENT_CODE) return undefined;
  const byte = hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));
  return Number.isNaN(byte) ? undefined : byte;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

export const MASKED_TEXT = "[masked]";

export function maskBody(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const maskedBytes = maskBytes(bytes);
  return maskedBytes.includes(0) ? maskUtf16Pairs(maskedBytes) : maskedBytes;
}

/** Masks a body in an unknown format. Replaces binary data completely, because it may contain compressed secrets. */
export function maskUnknownBody(body: Uint8Array): Uint8Array {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, CHECKED_BYTES));
  return CONTROLS_PATTERN.test(start.toString("latin1"))
    ? Buffer.from(`[masked: ${body.byteLength} bytes that are not text]`)
    : maskBody(body);
}

const CHECKED_BYTES = 4_096;
/** Matches control characters that don't occur in text. ESC and white space may occur. */
const CONTROLS_PATTERN = /[\u0001-\u0008\u000e-\u001a]/;

function maskBytes(bytes: Buffer): Buffer {
  const isXml = bytes[0] === LESS_THAN_CODE;
  return hasSecrets(bytes, isXml) ? Buffer.from(maskSecretsInText(bytes.toString("latin1"), { isXml }), "latin1") : bytes;
}

function maskSecretsInText(text: string, options: SearchOptions = {}): string {
  return maskSecrets(text, { find: [(one) => findSecrets(one, options)], replace: () => MASKED_TEXT });
}

const LESS_THAN_CODE = 0x3c;

/** Searches one part at a time, to avoid converting the whole body to one large string. */
function hasSecrets(bytes: Buffer, isXml: boolean): boolean {
  for (let from = 0; from < bytes.length; from += MAX_PART_LENGTH) {
    const text = bytes.toString("latin1", from, from + MAX_PART_LENGTH + OVERLAP_LENGTH);
    if (maskSecretsInText(text, { isXml, maxMarks: MAX_MARKS_PER_PART }) !== text) return true;
  }
  return false;
}

const MAX_PART_LENGTH = 64 * 1024;
const OVERLAP_LENGTH = 2_048;
/** Limits the work that a malicious body can cause. A part with more candidates than this is treated as secret. */
const MAX_MARKS_PER_PART = 2_000;

/** Masks UTF-16 in both byte orders and at both alignments, because it may be part of a form. */
function maskUtf16Pairs(bytes: Buffer): Buffer {
  let masked = bytes;
  for (const first of [0, 1]) {
    masked = maskUtf16(masked, first);
    masked = swapPairs(maskUtf16(swapPairs(masked, first), first), first);
  }
  return masked;
}

/** Includes the byte before the first pair, because it belongs to the first letter if the bytes are in the other order. */
function maskUtf16(bytes: Buffer, first: number): Buffer {
  const end = findPairsEnd(bytes, first);
  const text = bytes.toString("latin1", 0, first) + bytes.toString("utf16le", first, end);
  const maskedText = maskSecretsInText(text);
  if (maskedText === text) return bytes;
  return Buffer.concat([bytes.subarray(0, first), Buffer.from(maskedText.slice(first), "utf16le"), bytes.subarray(end)]);
}

function swapPairs(bytes: Buffer, first: number): Buffer {
  const swappedBytes = Buffer.from(bytes);
  swappedBytes.subarray(first, findPairsEnd(bytes, first)).swap16();
  return swappedBytes;
}

function findPairsEnd(bytes: Buffer, first: number): number {
  return bytes.length - ((bytes.length - first) % 2);
}
