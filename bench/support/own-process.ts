import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Idle processes by script. Reused, because starting one takes a third of a second. */
const idle = new Map<string, ChildProcess[]>();

export async function inOwnProcess<T>(script: URL, input: object): Promise<T> {
  const reusable = idle.get(script.href) ?? [];
  idle.set(script.href, reusable);
  const child = reusable.pop() ?? fork(fileURLToPath(script));
  const reply = Promise.withResolvers<T>();
  const fail = (code: number | null) => reply.reject(new Error(`${script.href} exited with ${code}`));
  child.once("message", (message) => reply.resolve(message as T)).once("exit", fail);
  child.send(input);
  const received = await reply.promise;
  child.off("exit", fail);
  reusable.push(child);
  return received;
}

export function endProcesses(): void {
  for (const children of idle.values()) for (const child of children.splice(0)) child.kill();
}
