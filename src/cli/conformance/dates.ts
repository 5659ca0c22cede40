import { formatNight, type Night, parseNight } from "../../calendar/night.ts";

/** Attributes that hold a night; moments, such as `TimeStamp`, stay as they are. */
const DATE = /(\s(?![\w:]*(?:Time|Stamp|Birth))[\w:]+\s*=\s*["'])(\d{4}-\d{2}-\d{2})(?=["'T])/g;
const WEEK = 7;

/**
 * Moves all dates of a message by whole weeks, so that the first lies tomorrow or later; distances and weekdays stay.
 * The bytes around them stay as they are, whatever their encoding.
 */
export function moveDates(bytes: Buffer, tomorrow: Night): Buffer {
  const text = textOf(bytes);
  const nights = [...text.matchAll(DATE)].map((match) => parseNight(match[2]!)).filter((night) => night !== undefined);
  const late = tomorrow - Math.min(...nights);
  if (!Number.isFinite(late) || late <= 0) return bytes;
  const days = Math.ceil(late / WEEK) * WEEK;
  return bytesOf(
    text.replaceAll(DATE, (whole, before: string, date: string) => {
      const night = parseNight(date);
      return night === undefined ? whole : before + formatNight(night + days);
    }),
    bytes,
  );
}

/** One character for each byte, or for each pair of UTF-16. */
function textOf(bytes: Buffer): string {
  if (isUtf16(bytes) === "le") return bytes.toString("utf16le");
  return isUtf16(bytes) === "be" ? swapped(bytes).toString("utf16le") : bytes.toString("latin1");
}

function bytesOf(text: string, like: Buffer): Buffer {
  if (isUtf16(like) === "le") return Buffer.from(text, "utf16le");
  return isUtf16(like) === "be" ? swapped(Buffer.from(text, "utf16le")) : Buffer.from(text, "latin1");
}

function isUtf16([first, second]: Buffer): "le" | "be" | undefined {
  if (first === 0xff && second === 0xfe) return "le";
  return first === 0xfe && second === 0xff ? "be" : undefined;
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
