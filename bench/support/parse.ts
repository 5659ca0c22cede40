import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Documents a second that saxes alone parses, in a process of its own. */
export async function measureSaxes(text: string, seconds: number): Promise<number> {
  const child = fork(fileURLToPath(new URL("parse-process.ts", import.meta.url)));
  const answered = Promise.withResolvers<number>();
  child.once("message", (perSecond) => answered.resolve(perSecond as number));
  child.once("exit", (code) => answered.reject(new Error(`the parsing process ended with ${code}`)));
  child.send({ text, seconds });
  const perSecond = await answered.promise;
  child.kill();
  return perSecond;
}
