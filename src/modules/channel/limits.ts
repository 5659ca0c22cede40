/** Limits of one message (channel facts 1.10). */
const MEGABYTE = 1024 * 1024;
export const MAX_BODY_BYTES = 20 * MEGABYTE;
/** After unpacking. */
export const MAX_UNPACKED_BYTES = 64 * MEGABYTE;

/** A message that waited longer than this is not stored: its sender may have given up. */
export const MAX_MILLISECONDS = 15_000;

/** Messages that may wait for one hotel; the next is told to come back. */
export const MAX_WAITING = 20;
export const RETRY_AFTER_SECONDS = 2;
