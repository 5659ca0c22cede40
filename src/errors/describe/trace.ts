import { fileURLToPath } from "node:url";
import { CAPS, scrubAndCut } from "./redact.ts";

export type Frame = { file: string; line: number; call: string };

/** Firefox and Safari: `call@https://host/file.js:12:5`. */
const GECKO = /^([^@]{0,300})@(.+)$/;
const POSITION = /:(\d+)(?::\d+)?$/;

export type Trace = { lines: readonly string[]; file: string; line: number; cut?: boolean };

/** Parses `error.stack`, innermost frame first. Skips the message, whose lines can look like frames. */
export function readTrace(stack: string, message: string): Trace {
  const frames = stack.slice(messageEnd(stack, message));
  const cachedTrace = traces.get(frames);
  if (cachedTrace) return cachedTrace;
  const parsedFrames = scrubAndCut(frames, CAPS.stack).split("\n").map(readFrame);
  const trace = { ...toTrace(parsedFrames.filter((frame) => frame !== undefined)), cut: frames.length > CAPS.stack };
  if (traces.size >= MAX_TRACES) traces.clear();
  if (frames.length <= MAX_CACHED_LENGTH) traces.set(frames, trace);
  return trace;
}

const traces = new Map<string, Trace>();
const MAX_TRACES = 200;
const MAX_CACHED_LENGTH = 4_096;

export function toTrace(frames: readonly Frame[]): Trace {
  const lines = frames.map(({ file, line, call }, index) => `#${index} ${file}(${line}): ${call || ANONYMOUS}`);
  const top = frames.find((frame) => frame.line > 0);
  return { lines: [...lines, `#${frames.length} {main}`], file: top?.file ?? "", line: top?.line ?? 0 };
}

function messageEnd(stack: string, message: string): number {
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

function readV8Frame(text: string): Frame {
  const parenthesis = text.endsWith(")") ? text.indexOf(" (") : -1;
  if (parenthesis !== -1) return readPosition(text.slice(0, parenthesis), text.slice(parenthesis + 2, -1));
  return text.startsWith(ASYNC) ? readPosition(`${ASYNC}${ANONYMOUS}`, text.slice(ASYNC.length)) : readPosition("", text);
}

const ASYNC = "async ";
const ANONYMOUS = "{anonymous}";

function readPosition(call: string, location: string): Frame {
  const position = POSITION.exec(location);
  const file = position ? location.slice(0, position.index) : location;
  return { file: readFile(file), line: Number(position?.[1] ?? 0), call };
}

/**
 * Returns the file in a location. Does not decode control characters, because a line break would forge a frame, and PostgreSQL rejects NUL.
 */
function readFile(location: string): string {
  if (!location.startsWith("file:")) return location;
  try {
    const path = fileURLToPath(location);
    return /\p{Cc}/u.test(path) ? location : path;
  } catch {
    return location;
  }
}
