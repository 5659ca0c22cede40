import { fileURLToPath } from "node:url";

/** One place in a call stack; `line` counts from 1, `call` is empty where the function has no name. */
export type Frame = { file: string; line: number; call: string };

/** Firefox and Safari: `call@https://host/file.js:12:5`. */
const GECKO = /^([^@]{0,300})@(.+)$/;
const POSITION = /:(\d+)(?::\d+)?$/;

/** The frames of `error.stack`, innermost first. The message, which may look like frames, is left out. */
export function readFrames(stack: string, message: string): Frame[] {
  return stack
    .slice(endOfMessage(stack, message))
    .split("\n")
    .map(readFrame)
    .filter((frame) => frame !== undefined);
}

/** Frames as the detail page shows them: `#0 file(line): function`, the last one `#n {main}`. */
export function formatTrace(frames: readonly Frame[]): string[] {
  const lines = frames.map(({ file, line, call }, index) => `#${index} ${file}(${line}): ${call || "{anonymous}"}`);
  return [...lines, `#${frames.length} {main}`];
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

/** `call (file:///path:12:5)`, or without a call only the location. */
function readV8Frame(text: string): Frame {
  const open = text.endsWith(")") ? text.indexOf(" (") : -1;
  return open === -1 ? readPosition("", text) : readPosition(text.slice(0, open), text.slice(open + 2, -1));
}

function readPosition(call: string, location: string): Frame {
  const position = POSITION.exec(location);
  const file = position ? location.slice(0, position.index) : location;
  return { file: readFile(file), line: Number(position?.[1] ?? 0), call };
}

function readFile(location: string): string {
  if (!location.startsWith("file:")) return location;
  try {
    return fileURLToPath(location);
  } catch {
    return location;
  }
}
