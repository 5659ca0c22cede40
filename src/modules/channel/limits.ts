import { DAY_MS, type Night } from "../../calendar/night.ts";

/** Limits for one message, listed in docs/channel.md. */
const BYTES_PER_MEGABYTE = 1024 * 1024;
export const MAX_BODY_BYTES = 20 * BYTES_PER_MEGABYTE;
/** Memory for the first megabyte of known senders' bodies, except the first 64 kB. The rest of all bodies has a limit of the same size. */
export const MAX_BODY_MEMORY_BYTES = 128 * BYTES_PER_MEGABYTE;
export const MAX_BODY_PAUSE_MS = 30_000;
/** Read before the sender is known, so it must contain the credentials, even after unpacking. The log keeps this much if they are wrong. */
export const MAX_BEGINNING_BYTES = 64 * 1024;
export const MAX_BEGINNING_MS = 10_000;

/** Limits for reading bodies, in bytes and milliseconds. */
export const BODY_LIMITS = {
  body: MAX_BODY_BYTES,
  /** While senders are unknown: bytes per body, bytes of all bodies, and time per body. */
  beginning: MAX_BEGINNING_BYTES,
  beginnings: 16 * BYTES_PER_MEGABYTE,
  beginningMs: MAX_BEGINNING_MS,
  underWay: MAX_BODY_MEMORY_BYTES,
  /** Maximum pause in a known sender's body. */
  silenceMs: MAX_BODY_PAUSE_MS,
  /** If a body is refused before its sender is known: bytes to discard, and the time from the answer until the connection closes. */
  discarded: 64 * 1024,
  lingerMs: 1_000,
};
export type BodyLimits = Readonly<typeof BODY_LIMITS>;

/** Returns the limits for one of several processes, which share the memory for all bodies. */
export function bodyLimits(workers: number): BodyLimits {
  const messagesUnderWay = Math.max(BODY_LIMITS.underWay / workers, MAX_BODY_BYTES);
  return { ...BODY_LIMITS, underWay: messagesUnderWay, beginnings: BODY_LIMITS.beginnings / workers };
}

/** Maximum size of a body after unpacking. */
export const MAX_UNPACKED_BYTES = 64 * BYTES_PER_MEGABYTE;

/** In bytes. Messages of at least this size are handled in a thread. */
export const LARGE_MESSAGE_BYTES = 256 * 1024;
/** Number of bytes searched for the name of a query. */
export const PULL_HEAD_BYTES = 4_096;

/** More than any full update needs. */
export const MAX_LINES = 50_000;

/** A message that waited longer is not stored, because its sender may have given up. */
export const MAX_PROCESSING_MS = 15_000;

/** Messages waiting for one property. Further messages are refused and must be resent. */
export const MAX_WAITING_MESSAGES = 20;
export const RETRY_AFTER_SECONDS = 2;

/** Limits for a night's values. */
export const MAX_ROOM_COUNT = 9_999;
export const MAX_STAY_NIGHTS = 999;
export const MAX_GUESTS = 99;
export const MAX_CODE_LENGTH = 64;
/** Maximum length of a stay pattern, which has one letter per night. */
export const MAX_PATTERN_LENGTH = 90;
/** Maximum booking window, in days before arrival. */
export const MAX_DAY_OFFSET = 9_999;
/** Maximum number of digits in an amount, before the decimal point and in total. */
export const MAX_WHOLE_DIGITS = 10;
export const MAX_DIGITS = 12;
/** Maximum length of an EchoToken, in characters, because answers repeat it. */
export const MAX_ECHO_TOKEN_LENGTH = 256;

/** Number of nights times values that one message may set. Two years of 4,000 rates with five values each are 15 million. */
export const MAX_STORED_VALUES = 30_000_000;
/** Amounts for one night in one line. Enough for stays of 1 to 60 nights with 1 to 18 guests, before and after tax. */
export const MAX_AMOUNTS_PER_NIGHT = 2_500;
/** Amounts for additional guests on one night. Limited because every night stores the whole list. */
export const MAX_EXTRAS_PER_NIGHT = 200;
/** Ranges of nights in one answer (about 40 MB). */
export const MAX_RANGES_RETURNED = 100_000;
/** Amounts in one answer about rate plans, including those for additional guests (about 50 MB). */
export const MAX_AMOUNTS_RETURNED = 500_000;
/** Categories and their rate plans in one answer (about 20 MB). */
export const MAX_PRODUCTS_RETURNED = 50_000;
/** Records that messages may create per property: several times what a large hotel needs. Stops senders that keep creating codes. */
export const MAX_PLANS = 2_000;
export const MAX_CATEGORIES = 1_000;
/** Maximum length of one rate plan's texts, supplements and offers, in characters. */
export const MAX_DETAILS_LENGTH = 1_000_000;
/** Number of lines without a category, times the categories each applies to. */
export const MAX_LINES_FOR_ALL_CATEGORIES = 100_000;

/** Further ahead than any property sells, plus a day for time zones. */
const MAX_DAYS_AHEAD = 1_102;

/** Returns the nights that can be stored at `now` in any time zone. */
export function storableNights(now: number): { first: Night; last: Night } {
  const today = Math.floor(now / DAY_MS);
  return { first: today - 1, last: today + MAX_DAYS_AHEAD };
}
