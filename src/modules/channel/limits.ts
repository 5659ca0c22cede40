import { DAY_MS, type Night } from "../../calendar/night.ts";
import type { BodyLimits } from "./transports/body.ts";

/** Limits of one message; docs/channel.md lists them. */
const MEGABYTE = 1024 * 1024;
export const MAX_BODY_BYTES = 20 * MEGABYTE;
/** For all bodies being read or decided together: for their first megabytes, but for the first 64 kB of each, and again for what is beyond. */
export const MAX_UNDER_WAY_BYTES = 128 * MEGABYTE;
/** How long the body of a known sender may pause. */
export const MAX_SILENCE_MS = 30_000;
/** Bytes read of a message whose sender is not known yet, also after unpacking: its credentials must be in them. The log keeps as much. */
export const BEGINNING_BYTES = 64 * 1024;
/** How long that may take, and how much all of them hold together while they arrive. */
export const BEGINNING_MS = 10_000;
export const MAX_BEGINNINGS_BYTES = 16 * MEGABYTE;
/** Bytes read of the rest of a message that was refused before its sender was known. Its connection closes soon after the answer. */
export const DISCARDED_BYTES = 64 * 1024;
export const LINGER_MS = 1_000;

export const BODY_LIMITS: BodyLimits = {
  most: MAX_BODY_BYTES,
  beginning: BEGINNING_BYTES,
  beginnings: MAX_BEGINNINGS_BYTES,
  beginningMs: BEGINNING_MS,
  underWay: MAX_UNDER_WAY_BYTES,
  silenceMs: MAX_SILENCE_MS,
  discarded: DISCARDED_BYTES,
  lingerMs: LINGER_MS,
};

/** The limits for one of several processes, which divide among themselves what all bodies hold together. */
export function bodyLimits(workers: number): BodyLimits {
  const underWay = Math.max(BODY_LIMITS.underWay / workers, MAX_BODY_BYTES);
  return { ...BODY_LIMITS, underWay, beginnings: BODY_LIMITS.beginnings / workers };
}

/** After unpacking. */
export const MAX_UNPACKED_BYTES = 64 * MEGABYTE;

/** Bytes. Messages from this size on are handled in a thread of their own. */
export const LARGE = 256 * 1024;
/** Bytes in which a message that asks for rates names itself. */
export const PULL_HEAD_BYTES = 4_096;

/** More than any refresh has. */
export const MAX_LINES = 50_000;

/** A message that waited longer is not stored: its sender may have given up. */
export const MAX_MILLISECONDS = 15_000;

/** How many messages may wait for one property; further ones are refused and must be sent again. */
export const MAX_WAITING = 20;
export const RETRY_AFTER_SECONDS = 2;

/** Limits of what is stored for a night. */
export const MAX_COUNT = 9_999;
export const MAX_STAY = 999;
export const MAX_GUESTS = 99;
export const MAX_CODE_LENGTH = 64;
/** Nights of stay that a pattern has letters for. */
export const MAX_PATTERN = 90;
/** Days before arrival. */
export const MAX_DAY_OFFSET = 9_999;
/** The most digits of an amount: before the point, and with the minor ones. */
export const MAX_WHOLE_DIGITS = 10;
export const MAX_DIGITS = 12;
/** Characters of it that are repeated. */
export const MAX_ECHO_TOKEN = 256;

/** Nights that one message may set, times the values of each. Two years of 4,000 rates with five values each are 15 million. */
export const MAX_CELLS = 30_000_000;
/** Amounts of one night in one line: all prices for 1 to 60 nights and 1 to 18 guests are fewer. */
export const MAX_AMOUNTS = 2_500;
/** Amounts of additional guests of one night: each age and many places are fewer. Every night keeps the whole list. */
export const MAX_EXTRAS = 200;
/** Ranges of nights that one answer tells of rate plans: some 40 MB. */
export const MAX_RANGES_TOLD = 100_000;
/** Amounts that one answer tells of rate plans, those of additional guests among them: some 50 MB. */
export const MAX_AMOUNTS_TOLD = 500_000;
/** How many of each messages may give one hotel: several times what large hotels have. It stops a sender that invents codes. */
export const MAX_PLANS = 2_000;
export const MAX_CATEGORIES = 1_000;
/** Characters of the texts, supplements and offers of one rate plan. */
export const MAX_DETAILS = 1_000_000;
/** Lines without a category, times the categories each applies to. */
export const MAX_WIDE_LINES = 100_000;

/** Further than any property sells, plus a day for time zones. */
const FURTHEST = 1_102;

/** The nights that a property in any time zone can store at `now`. */
export function storableNights(now: number): { first: Night; last: Night } {
  const today = Math.floor(now / DAY_MS);
  return { first: today - 1, last: today + FURTHEST };
}
