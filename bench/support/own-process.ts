import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Processes that have answered and may be asked again, by their script: starting one takes a third of a second. */
const idle = new Map<string, ChildProcess[]>();

/** Hands `input` to a script in a process of its own and answers the one message that it sends back. */
export async function inOwnProcess<T>(script: URL, input: object): Promise<T> {
  const waiting = idle.get(script.href) ?? [];
  idle.set(script.href, waiting);
  const child = waiting.pop() ?? fork(fileURLToPath(script));
  const answered = Promise.withResolvers<T>();
  const fail = (code: number | null) => answered.reject(new Error(`${script.href} ended with ${code}`));
  child.once("message", (message) => answered.resolve(message as T)).once("exit", fail);
  child.send(input);
  const answer = await answered.promise;
  child.off("exit", fail);
  waiting.push(child);
  return answer;
}

/** Ends those that nobody waits for. */
export function endProcesses(): void {
  for (const children of idle.values()) for (const child of children.splice(0)) child.kill();
}
