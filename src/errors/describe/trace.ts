import { fileURLToPath } from "node:url";
import { CAPS, scrubAndCut } from "./redact.ts";

/** One place in a call stack; `line` counts from 1, `call` is empty where the function has no name. */
export type Frame = { file: string; line: number; call: string };

/** Firefox and Safari: `call@https://host/file.js:12:5`. */
const GECKO = /^([^@]{0,300})@(.+)$/;
const POSITION = /:(\d+)(?::\d+)?$/;

/**
 * A call stack as the detail page shows it, with the place where it begins; the file is empty and the line 0 if it is not known. `cut`: the
 * outermost frames did not fit.
 */
export type Trace = { lines: readonly string[]; file: string; line: number; cut?: boolean };

/** The trace of `error.stack`, innermost frame first. The message, which may look like frames, is left out. */
export function readTrace(stack: string, message: string): Trace {
  const frames = stack.slice(endOfMessage(stack, message));
  const known = traces.get(frames);
  if (known) return known;
  const kept = scrubAndCut(frames, CAPS.stack).split("\n").map(readFrame);
  const read = { ...toTrace(kept.filter((frame) => frame !== undefined)), cut: frames.length > CAPS.stack };
  if (traces.size >= TRACES_KEPT) traces.clear();
  if (frames.length <= TRACE_LENGTH) traces.set(frames, read);
  return read;
}

/** Errors that come in numbers come from the same place. */
const traces = new Map<string, Trace>();
const TRACES_KEPT = 200;
const TRACE_LENGTH = 4_096;

/** `#0 file(line): function` for each frame, the last line `#n {main}`. */
export function toTrace(frames: readonly Frame[]): Trace {
  const lines = frames.map(({ file, line, call }, index) => `#${index} ${file}(${line}): ${call || NAMELESS}`);
  const top = frames.find((frame) => frame.line > 0);
  return { lines: [...lines, `#${frames.length} {main}`], file: top?.file ?? "", line: top?.line ?? 0 };
}

function endOfMessage(stack: string, message: string): number {
  if (message === "") return 0;
  const start = stack.indexOf(message);
  return start === -1 || stack.lastIndexOf("\n", start) !== -1 ? 0 : start + message.length;
}

function readFrame(text: string): Frame | undefined {
  const line = text.trim();
  if (line.startsWith("at ")) return readV8Frame(line.slice(3));
  const match = GECKO.exec(line);
  return match && POSITION.test(match[2]!) ? readPosition(match[1]!, match[2]!) : undefined;
}

/** `call (file:///path:12:5)`, or without a call only the location, which may have `async` in front. */
function readV8Frame(text: string): Frame {
  const open = text.endsWith(")") ? text.indexOf(" (") : -1;
  if (open !== -1) return readPosition(text.slice(0, open), text.slice(open + 2, -1));
  return text.startsWith(ASYNC) ? readPosition(`${ASYNC}${NAMELESS}`, text.slice(ASYNC.length)) : readPosition("", text);
}

const ASYNC = "async ";
const NAMELESS = "{anonymous}";

function readPosition(call: string, location: string): Frame {
  const position = POSITION.exec(location);
  const file = position ? location.slice(0, position.index) : location;
  return { file: readFile(file), line: Number(position?.[1] ?? 0), call };
}

/** What decodes to a control character stays as it came: an end of the line would forge a frame, and PostgreSQL takes no NUL. */
function readFile(location: string): string {
  if (!location.startsWith("file:")) return location;
  try {
    const path = fileURLToPath(location);
    return /\p{Cc}/u.test(path) ? location : path;
  } catch {
    return location;
  }
}
