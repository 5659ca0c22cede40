import { fileURLToPath } from "node:url";
import { MAX_LENGTHS, scrubAndCut } from "./redact.ts";

export type StackFrame = { file: string; line: number; call: string };

/** Firefox and Safari: `call@https://host/file.js:12:5`. */
const GECKO_FRAME_PATTERN = /^([^@]{0,300})@(.+)$/;
const POSITION_PATTERN = /:(\d+)(?::\d+)?$/;

export type StackTrace = { lines: readonly string[]; file: string; line: number; cut?: boolean };

/** Parses `error.stack`, innermost frame first. Skips the message, whose lines can look like frames. */
export function readTrace(stack: string, message: string): StackTrace {
  const frames = stack.slice(messageEnd(stack, message));
  const cachedTrace = cachedTraces.get(frames);
  if (cachedTrace) return cachedTrace;
  const parsedFrames = scrubAndCut(frames, MAX_LENGTHS.stack).split("\n").map(readFrame);
  const trace = { ...toTrace(parsedFrames.filter((frame) => frame !== undefined)), cut: frames.length > MAX_LENGTHS.stack };
  if (cachedTraces.size >= MAX_CACHED_TRACES) cachedTraces.clear();
  if (frames.length <= MAX_CACHED_LENGTH) cachedTraces.set(frames, trace);
  return trace;
}

const cachedTraces = new Map<string, StackTrace>();
const MAX_CACHED_TRACES = 200;
const MAX_CACHED_LENGTH = 4_096;

export function toTrace(frames: readonly StackFrame[]): StackTrace {
  const lines = frames.map(({ file, line, call }, index) => `#${index} ${file}(${line}): ${call || ANONYMOUS_CALL}`);
  const top = frames.find((frame) => frame.line > 0);
  return { lines: [...lines, `#${frames.length} {main}`], file: top?.file ?? "", line: top?.line ?? 0 };
}

function messageEnd(stack: string, message: string): number {
  if (message === "") return 0;
  const start = stack.indexOf(message);
  return start === -1 || stack.lastIndexOf("\n", start) !== -1 ? 0 : start + message.length;
}

function readFrame(text: string): StackFrame | undefined {
  const line = text.trim();
  if (line.startsWith("at ")) return readV8Frame(line.slice(3));
  const match = GECKO_FRAME_PATTERN.exec(line);
  return match && POSITION_PATTERN.test(match[2]!) ? readPosition(match[1]!, match[2]!) : undefined;
}

function readV8Frame(text: string): StackFrame {
  const parenthesisIndex = text.endsWith(")") ? text.indexOf(" (") : -1;
  if (parenthesisIndex !== -1) return readPosition(text.slice(0, parenthesisIndex), text.slice(parenthesisIndex + 2, -1));
  return text.startsWith(ASYNC_PREFIX)
    ? readPosition(`${ASYNC_PREFIX}${ANONYMOUS_CALL}`, text.slice(ASYNC_PREFIX.length))
    : readPosition("", text);
}

const ASYNC_PREFIX = "async ";
const ANONYMOUS_CALL = "{anonymous}";

function readPosition(call: string, location: string): StackFrame {
  const position = POSITION_PATTERN.exec(location);
  const file = position ? location.slice(0, position.index) : location;
  return { file: readFile(file), line: Number(position?.[1] ?? 0), call };
}

/**
 * Returns the file in a location. Does not decode control characters, because a line break could fake a frame, and PostgreSQL rejects NUL.
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
