import { inOwnProcess } from "./own-process.ts";

/** Which path is asked for again and again, by one who waits for each answer. */
export type Visit = { url: string; headers: Readonly<Record<string, string>>; seconds: number };

/** Milliseconds of the longest wait, in a process of its own: it does nothing else that could hold it up. */
export function longestWait(visit: Visit): Promise<number> {
  return inOwnProcess(new URL("wait-process.ts", import.meta.url), visit);
}
