import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A server in a child process. It stops at the end of its scope (`await using`). */
export type Server = AsyncDisposable & { url: string; pid: number };

export async function startServer(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const url = await firstAddress(child);
  return { url, pid: child.pid!, [Symbol.asyncDispose]: () => stop(child) };
}

async function firstAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const [address] = /http:\/\/\S+(?=\/)/.exec(line) ?? [];
    if (address !== undefined) {
      child.stdout!.resume();
      return address;
    }
  }
  throw new Error(`${child.spawnargs.join(" ")} exited before it was ready`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}
