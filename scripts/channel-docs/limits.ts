import { readConfig } from "../../src/config.ts";
import * as limits from "../../src/modules/channel/limits.ts";
import { MAX_SHOWN_FINDINGS } from "../../src/modules/channel/report.ts";
import * as xml from "../../src/xml/handler.ts";

const MEGABYTE = 1024 * 1024;
const megabytes = (bytes: number) => `${bytes / MEGABYTE} MB`;
const kilobytes = (bytes: number) => `${bytes / 1024} KiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
const number = (value: number) => value.toLocaleString("en");

/** Rows of the limits table: name, limit, and the error code (or other effect) if it is exceeded. */
export const limitRows: readonly (readonly [name: string, limit: string, beyond: string])[] = [
  ["Request body", megabytes(limits.MAX_BODY_BYTES), "743"],
  ["Request body after unpacking", `${megabytes(limits.MAX_UNPACKED_BYTES)} and, above 1 MB, 100 times the compressed size`, "743"],
  [
    "Position of the credentials in the body and, for a restricted sender, of the property",
    `first ${kilobytes(limits.MAX_PREFIX_BYTES)}, even after unpacking`,
    "497",
  ],
  [`Time for the first ${kilobytes(limits.MAX_PREFIX_BYTES)} from an unknown sender`, seconds(limits.MAX_PREFIX_MS), "HTTP 408"],
  ["Pause while receiving a known sender's body", seconds(limits.MAX_BODY_PAUSE_MS), "HTTP 408"],
  ["Time to process a message, including waiting", seconds(limits.MAX_PROCESSING_MS), "448"],
  [
    "Concurrent messages from one sender",
    `${readConfig({}).values.CHANNEL_PLACES_PER_SENDER}, divided among the workers (\`CHANNEL_PLACES_PER_SENDER\`)`,
    "191",
  ],
  ["Messages per minute from one sender", "`CHANNEL_MESSAGES_PER_MINUTE`, divided among the workers; no limit by default", "191"],
  ["Megabytes per minute from one sender", "`CHANNEL_MEGABYTES_PER_MINUTE`, divided among the workers; no limit by default", "191"],
  ["Messages waiting for one property", number(limits.MAX_WAITING_MESSAGES), "191"],
  [
    "Bodies of known senders in memory",
    `${megabytes(limits.MAX_BODY_MEMORY_BYTES)} for the first megabyte of each, and ${megabytes(limits.MAX_BODY_MEMORY_BYTES)} for the rest`,
    "191",
  ],
  ["Lines per message", number(limits.MAX_LINES), "743"],
  ["Values set by one message (nights × values per night)", number(limits.MAX_STORED_VALUES), "743"],
  ["Lines without a category × the property's categories", number(limits.MAX_LINES_FOR_ALL_CATEGORIES), "743"],
  ["Amounts per night in a line", number(limits.MAX_AMOUNTS_PER_NIGHT), "743"],
  ["Amounts for extra guests per night in a line", number(limits.MAX_EXTRAS_PER_NIGHT), "743"],
  ["Ranges of nights in a response", number(limits.MAX_RANGES_RETURNED), "743; request fewer nights or plans"],
  ["Amounts in a response about rates", number(limits.MAX_AMOUNTS_RETURNED), "743; request fewer nights or plans"],
  ["Combinations of category and rate plan in a response", number(limits.MAX_PRODUCTS_RETURNED), "743"],
  ["Rate plans per property", `${number(limits.MAX_PLANS)} created by messages`, "743"],
  ["Categories per property", `${number(limits.MAX_CATEGORIES)} created by messages`, "743"],
  ["Descriptions, supplements and offers per rate plan", `${number(limits.MAX_DETAILS_LENGTH)} characters`, "743"],
  ["Codes", `${limits.MAX_CODE_LENGTH} characters`, "320"],
  ["Counts", `0 to ${number(limits.MAX_ROOM_COUNT)}`, "320"],
  ["Amounts", `0 to ${number(10 ** limits.MAX_WHOLE_DIGITS - 1)}, ${limits.MAX_DIGITS} digits including decimals`, "320"],
  ["Lengths of stay", `0 to ${limits.MAX_STAY_NIGHTS} nights; patterns up to ${limits.MAX_PATTERN_LENGTH}`, "320"],
  ["Booking window", `0 to ${number(limits.MAX_DAY_OFFSET)} days`, "320"],
  ["Guests", `1 to ${limits.MAX_GUESTS}`, "397"],
  ["`EchoToken`", `${limits.MAX_ECHO_TOKEN_LENGTH} characters`, "the rest is truncated"],
  ["Errors per response", number(MAX_SHOWN_FINDINGS), "the rest is omitted"],
  ["Warnings per response", number(MAX_SHOWN_FINDINGS), "the rest is omitted"],
  ["XML: element depth", number(xml.MAX_DEPTH), "450"],
  ["XML: attributes per element", number(xml.MAX_ATTRIBUTES), "450"],
  ["XML: namespace prefixes in scope", number(xml.MAX_BINDINGS), "450"],
  ["XML: length of a name or namespace", `${number(xml.MAX_NAME_LENGTH)} characters`, "450"],
  ["XML: length of a run of text or an attribute value", `${number(xml.MAX_TEXT_LENGTH)} characters`, "450"],
];
