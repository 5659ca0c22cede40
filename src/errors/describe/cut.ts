import type { ErrorOutline, KeptContext, NewErrorEntry } from "../entry.ts";
import type { Room } from "./redact.ts";

/** Maximum size of an entry's request context, and again of what else is known, in bytes of JSON. */
const CONTEXT_BYTES = 8_192;
/** Longest value in a context, in characters. */
const VALUE_CHARACTERS = 1_024;
/** Frames of the call stack that a repeat keeps. */
const FRAMES_OF_REPEAT = 3;

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

/** Adds the context to an outline. A repeat keeps only its path and the innermost frames. */
export function complete({ context, detail, ...outline }: ErrorOutline, kept: KeptContext): NewErrorEntry {
  const trace = kept === "path" ? innermost(detail.trace) : detail.trace;
  return { ...outline, detail: { ...detail, trace, ...context(kept) } };
}

function innermost(trace: readonly string[]): readonly string[] {
  return trace.length <= FRAMES_OF_REPEAT + 1 ? trace : [...trace.slice(0, FRAMES_OF_REPEAT), `#${FRAMES_OF_REPEAT} {main}`];
}
