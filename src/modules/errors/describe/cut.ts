import type { ErrorDetail, NewErrorEntry } from "../entry.ts";
import type { Room } from "./redact.ts";

/** Maximum size of an entry's request context, and again of what else is known, in bytes of JSON. */
const CONTEXT_BYTES = 8_192;
/** Longest value in a context, in characters. */
const VALUE_CHARACTERS = 1_024;
/** Frames of the call stack that a repeat keeps. */
const FRAMES_OF_REPEAT = 3;
/** The variables of SERVER that a repeat keeps. */
const PATH = ["REQUEST_METHOD", "REQUEST_URI", "REQUEST_TIME", "REQUEST_TIME_FLOAT"];

/**
 * Describes part of a context within 8 kB, and says whether anything was cut. `describe` cuts by characters, which take up to six bytes each, so
 * it is called again with less room until the bytes fit.
 */
export function fitContext<T>(describe: (room: Room) => T): { made: T; cut: boolean } {
  for (let left = CONTEXT_BYTES; ;) {
    const room: Room = { left, longest: VALUE_CHARACTERS, cut: false };
    const made = describe(room);
    const bytes = Buffer.byteLength(JSON.stringify(made));
    if (bytes <= CONTEXT_BYTES || left === 0) return { made, cut: room.cut };
    left = Math.floor(left * Math.min(0.9, CONTEXT_BYTES / bytes));
  }
}

/** The entry without its context: of a group that repeats too fast, each error still has its row, time and path. */
export function asRepeat(entry: NewErrorEntry): NewErrorEntry {
  const { object, trace, server, extra } = entry.detail;
  const frames = trace.slice(0, Math.min(FRAMES_OF_REPEAT, trace.length - 1));
  const detail: ErrorDetail = {
    object,
    trace: [...frames, `#${frames.length} {main}`],
    server: Object.fromEntries(Object.entries(server).filter(([name]) => PATH.includes(name))),
    get: [],
    session: null,
    extra: extra.requestId === undefined ? {} : { requestId: extra.requestId },
    cut: "repeat",
  };
  return { ...entry, detail };
}
