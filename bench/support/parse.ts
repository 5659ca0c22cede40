import { inOwnProcess } from "./own-process.ts";

/** Documents a second that saxes alone parses, in a process of its own. */
export function measureSaxes(text: string, seconds: number): Promise<number> {
  return inOwnProcess(new URL("parse-process.ts", import.meta.url), { text, seconds });
}
