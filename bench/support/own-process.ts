import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a script in a process of its own, hands it `input` and answers the one message that it sends. */
export async function inOwnProcess<T>(script: URL, input: object): Promise<T> {
  const child = fork(fileURLToPath(script));
  const answered = Promise.withResolvers<T>();
  child.once("message", (message) => answered.resolve(message as T));
  child.once("exit", (code) => answered.reject(new Error(`${script.href} ended with ${code}`)));
  child.send(input);
  const answer = await answered.promise;
  child.kill();
  return answer;
}
