import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ErrorDetail, ErrorSummary } from "../entry.ts";
import type { StackFrame } from "./trace.ts";

/** Increment whenever the grouping rules change. Existing groups keep their id; new entries get new groups. */
export const ALGORITHM_VERSION = 3;

/** Properties that a group's errors share. `pattern` is the message without variable parts; `place` is the source file and function. */
export type ErrorGrouping = {
  id: number;
  pattern: string;
  place: string;
};

type GroupedError = Pick<ErrorSummary, "source" | "class" | "message"> & { detail: Pick<ErrorDetail, "trace"> };

export function groupError({ source, class: name, message, detail }: GroupedError): ErrorGrouping {
  const violation = source === "csp" && name === VIOLATION_CLASS;
  const [pattern, place] = violation ? [violationPattern(message), ""] : [messagePattern(message), innermostLocation(detail.trace)];
  const key = `${ALGORITHM_VERSION}\n${source}\n${name}\n${place}\n${pattern}`;
  return { id: Number.parseInt(hash("sha256", key).slice(0, ID_DIGITS), 16), pattern, place };
}

const ID_DIGITS = 12;

/** Quoted text may contain quotes. It ends at a quote at the end of a word, or at the end of a truncated message. */
const QUOTED_PATTERN = /(?<!\w)(['"])[^]*?(?:\1(?=[.,;:!?)\]}>]*(?:\s|$))|$)|“[^“”]*(?:”|$)/g;
const UUID_PATTERN = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const IPV6_PATTERN = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;
const HEXADECIMAL_PATTERN = /\b[0-9a-f]{8,}\b/gi;
const NUMBER_PATTERN = /\d+/g;

function messagePattern(message: string): string {
  const messageWithoutQuotes = message.replaceAll(QUOTED_PATTERN, "''");
  if (!VARIABLE_PATTERN.test(messageWithoutQuotes)) return messageWithoutQuotes;
  return messageWithoutQuotes
    .replaceAll(UUID_PATTERN, "0")
    .replaceAll(IPV6_PATTERN, "0")
    .replaceAll(HEXADECIMAL_PATTERN, "0")
    .replaceAll(NUMBER_PATTERN, "0");
}

const VARIABLE_PATTERN = /\d|::|\b[0-9a-f]{8}/i;

function innermostLocation(trace: readonly string[]): string {
  const cachedPlace = cachedPlaces.get(trace);
  if (cachedPlace !== undefined) return cachedPlace;
  const [frame] = ownFrames(trace);
  const place = frame ? `${messagePattern(withoutQuery(frame.file.replace(PROJECT_FOLDER, "")))} ${frame.call}` : "";
  cachedPlaces.set(trace, place);
  return place;
}

/** Keyed by the trace array, because `readTrace` returns the same array for the same stack. */
const cachedPlaces = new WeakMap<readonly string[], string>();

export function ownFrames(trace: readonly string[]): StackFrame[] {
  const frames = trace.map((line) => FRAME_PATTERN.exec(line)).filter((frame) => frame !== null);
  return frames
    .map(([, file = "", line = "", call = ""]) => ({ file, line: Number(line), call }))
    .filter(({ file }) => !FOREIGN_FILE_PATTERN.test(file));
}

const FRAME_PATTERN = /^#\d+ (.+)\((\d+)\): (.+)$/;
const FOREIGN_FILE_PATTERN = /^(?:node:|native|<anonymous>|[a-z-]+-extension:)|[\\/]node_modules[\\/]/;
const PROJECT_FOLDER = fileURLToPath(new URL("../../../", import.meta.url));

export const VIOLATION_CLASS = "ContentSecurityPolicyViolation";

export type ReportUrls = { document: string; blocked: string; file: string };

export function violationMessage(directive: string, { blocked, document }: ReportUrls): string {
  return `${directive} blocked ${withoutQuery(blocked) || "something"} on ${urlPath(document)}`;
}

/** Returns a pattern that groups violations by directive and blocked origin, regardless of page and script. */
export function violationPattern(message: string): string {
  const [directive, , blocked = ""] = message.split(" ", 3);
  return `${directive} blocked ${blockedOrigin(blocked)}`;
}

export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

function urlPath(url: string): string {
  return URL.parse(url)?.pathname ?? (withoutQuery(url) || "an unknown page");
}

/** Keeps keywords such as `inline`. URLs without an origin, such as extension URLs, are reduced to their scheme and host. */
function blockedOrigin(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
}
