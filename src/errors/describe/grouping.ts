import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ErrorDetail, ErrorSummary } from "../entry.ts";
import type { Frame } from "./trace.ts";
import { VIOLATION, violationPattern } from "./violation.ts";

/** Counted up when errors are put together in another way: groups from before keep their name, what comes then has a new one. */
export const ALGORITHM = 3;

/**
 * What puts errors together: `pattern` is the message without what varies, `place` the file and function in which they arose, empty where
 * that does not count.
 */
export type Grouping = {
  /** The first 48 bits of the fingerprint. */
  id: number;
  pattern: string;
  place: string;
};

type Grouped = Pick<ErrorSummary, "source" | "class" | "message"> & { detail: Pick<ErrorDetail, "trace"> };

/** Names a group by the SHA-256 of what its errors have in common; each is worked out once. */
export function groupingOf({ source, class: name, message, detail }: Grouped): Grouping {
  const violation = source === "csp" && name === VIOLATION;
  const [pattern, place] = violation ? [violationPattern(message), ""] : [patternOf(message), placeOf(detail.trace)];
  const key = `${ALGORITHM}\n${source}\n${name}\n${place}\n${pattern}`;
  const known = groupings.get(key);
  if (known) return known;
  if (groupings.size >= GROUPINGS_KEPT) groupings.clear();
  const made = { id: Number.parseInt(hash("sha256", key).slice(0, ID_DIGITS), 16), pattern, place };
  groupings.set(key, made);
  return made;
}

const groupings = new Map<string, Grouping>();
const GROUPINGS_KEPT = 1_000;
const ID_DIGITS = 12;

/**
 * Strangers write quotes into what is quoted, above all into addresses: a quote ends where the word does, or with the message, which may
 * have been cut.
 */
const QUOTED = /(?<!\w)(['"])[^]*?(?:\1(?=[.,;:!?)\]}>]*(?:\s|$))|$)|“[^“”]*(?:”|$)/g;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const ADDRESS = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;
const HEXADECIMAL = /\b[0-9a-f]{8,}\b/gi;
const NUMBER = /\d+/g;

/** The message without what differs from one time to the next: what stands in quotes, ids, addresses and numbers. */
function patternOf(message: string): string {
  const unquoted = message.replaceAll(QUOTED, "''");
  if (!VARIES.test(unquoted)) return unquoted;
  return unquoted.replaceAll(UUID, "0").replaceAll(ADDRESS, "0").replaceAll(HEXADECIMAL, "0").replaceAll(NUMBER, "0");
}

const VARIES = /\d|::|\b[0-9a-f]{8}/i;

/** File and function of the innermost call that is neither of Node nor of a package; empty where the trace names none. */
function placeOf(trace: readonly string[]): string {
  const known = places.get(trace);
  if (known !== undefined) return known;
  const [frame] = ownFrames(trace);
  const place = frame ? `${patternOf(shorten(frame.file))} ${frame.call}` : "";
  places.set(trace, place);
  return place;
}

/** The calls of a trace that are neither of Node nor of a package, innermost first. */
export function ownFrames(trace: readonly string[]): Frame[] {
  const frames = trace.map((line) => FRAME.exec(line)).filter((frame) => frame !== null);
  return frames
    .map(([, file = "", line = "", call = ""]) => ({ file, line: Number(line), call }))
    .filter(({ file }) => !FOREIGN.test(file));
}

/** Traces that come in numbers are the same list. */
const places = new WeakMap<readonly string[], string>();

/** `#0 file(line): function`, as `toTrace` words it. */
const FRAME = /^#\d+ (.+)\((\d+)\): (.+)$/;
const FOREIGN = /^(?:node:|native|<anonymous>|[a-z-]+-extension:)|[\\/]node_modules[\\/]/;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A file is the same wherever the service lies, and a script whatever its query. */
function shorten(file: string): string {
  return file.replace(ROOT, "").replace(/[?#].*$/, "");
}
