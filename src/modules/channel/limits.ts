import { DAY_MS, type Night } from "../../calendar/night.ts";

/** docs/channel.md lists the limits for a message. */
const BYTES_PER_MEGABYTE = 1024 * 1024;
export const MAX_BODY_BYTES = 20 * BYTES_PER_MEGABYTE;
/** Memory for the part of known senders' bodies between 64 kB and 1 MB. The parts beyond 1 MB share a second limit of the same size. */
export const MAX_BODY_MEMORY_BYTES = 128 * BYTES_PER_MEGABYTE;
export const MAX_BODY_PAUSE_MS = 30_000;
/**
 * Maximum number of bytes that are read before the sender is known. The credentials must be within these bytes, before and after unpacking.
 * If the credentials are invalid, only these bytes are logged.
 */
export const MAX_PREFIX_BYTES = 64 * 1024;
export const MAX_PREFIX_MS = 10_000;

/** Limits for reading bodies, in bytes and milliseconds. */
export const BODY_LIMITS = {
  body: MAX_BODY_BYTES,
  /** Before senders are known: bytes per body, bytes of all bodies together, and time per body. */
  prefix: MAX_PREFIX_BYTES,
  allPrefixes: 16 * BYTES_PER_MEGABYTE,
  prefixMs: MAX_PREFIX_MS,
  allAdmitted: MAX_BODY_MEMORY_BYTES,
  /** Maximum pause while receiving a known sender's body. */
  maxPauseMs: MAX_BODY_PAUSE_MS,
  /** If a body is refused before its sender is known: bytes to discard, and time from the response until the connection closes. */
  discardBytes: 64 * 1024,
  lingerMs: 1_000,
};
export type BodyLimits = Readonly<typeof BODY_LIMITS>;

/** Returns the limits for one of several processes, which share the memory for all bodies. */
export function bodyLimits(workers: number): BodyLimits {
  const admittedBytes = Math.max(BODY_LIMITS.allAdmitted / workers, MAX_BODY_BYTES);
  return { ...BODY_LIMITS, allAdmitted: admittedBytes, allPrefixes: BODY_LIMITS.allPrefixes / workers };
}

/** Maximum size of a body after unpacking, in bytes. */
export const MAX_UNPACKED_BYTES = 64 * BYTES_PER_MEGABYTE;

/** Minimum size, in bytes, of messages that are handled in a thread. */
export const LARGE_MESSAGE_BYTES = 256 * 1024;
/** Number of bytes to search for the name of a query at the start of a message. */
export const PULL_HEAD_BYTES = 4_096;

/** Maximum number of lines in a message. Even full updates need fewer. */
export const MAX_LINES = 50_000;

/** Maximum age of a message when it is stored. An older message is not stored, because its sender may have given up. */
export const MAX_PROCESSING_MS = 15_000;

/** Maximum number of messages waiting for one property. Further messages are refused and must be resent. */
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
/** Maximum length of an EchoToken, in characters. Limited because responses repeat it. */
export const MAX_ECHO_TOKEN_LENGTH = 256;

/**
 * Maximum number of values that one message may set, counted per night. For comparison, 4,000 rates with five values per night for two
 * years are 15 million values.
 */
export const MAX_STORED_VALUES = 30_000_000;
/** Maximum number of amounts per night in one line. Enough for stays of 1 to 60 nights with 1 to 18 guests, before and after tax. */
export const MAX_AMOUNTS_PER_NIGHT = 2_500;
/** Maximum number of additional-guest amounts per night. Limited because every night stores the whole list. */
export const MAX_EXTRAS_PER_NIGHT = 200;
/** Maximum number of ranges of nights in one response (about 40 MB). */
export const MAX_RANGES_RETURNED = 100_000;
/** Maximum number of amounts in one rate plan response, including additional-guest amounts (about 50 MB). */
export const MAX_AMOUNTS_RETURNED = 500_000;
/** Maximum number of categories and their rate plans in one response (about 20 MB). */
export const MAX_PRODUCTS_RETURNED = 50_000;
/**
 * Maximum number of rate plans and of categories that messages may create for a property. A large hotel needs far fewer. Stops senders that
 * keep inventing codes.
 */
export const MAX_PLANS = 2_000;
export const MAX_CATEGORIES = 1_000;
/** Maximum length of one rate plan's descriptions, supplements and offers, in characters. */
export const MAX_DETAILS_LENGTH = 1_000_000;
/** Maximum number of categories that lines without a category may apply to, summed over all these lines. */
export const MAX_LINES_FOR_ALL_CATEGORIES = 100_000;

/** Longer than any property's booking horizon, plus a day for time zones. */
const MAX_DAYS_AHEAD = 1_102;

/** Returns the nights that can be stored at `now` in any time zone. */
export function storableNights(now: number): { first: Night; last: Night } {
  const today = Math.floor(now / DAY_MS);
  return { first: today - 1, last: today + MAX_DAYS_AHEAD };
}
