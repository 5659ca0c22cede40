import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "./postgres-server.ts";

/** A folder for programs' files, and the user who runs the programs. */
export type Place = { folder: string; identity: Identity };

export type Program = { path: string; args: readonly string[]; env?: Readonly<Record<string, string>> };

/** Starts a program whose output goes to a file in the folder. */
export function run({ folder, identity }: Place, name: string, { path, args, env = {} }: Program): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), "a");
  return spawn(path, args, {
    ...identity,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", ...env },
    stdio: ["ignore", log, log],
  });
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

const CONFIGURATION = new URL("../../deploy/patroni/", import.meta.url);

/** Returns the text of a file in `deploy/patroni`. */
export function readConfiguration(name: string): string {
  return readFileSync(new URL(name, CONFIGURATION), "utf8");
}
