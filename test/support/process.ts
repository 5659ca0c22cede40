import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Roomrack is ready: (\S+)$/m;
/** Only there to show what a process says that does not start. */
const START_LIMIT_MS = 180_000;

export type Settings = Readonly<Record<string, string>>;

/** How a command ended, and what it said. */
export type Ended = { code: number | null; output: string; errors: string };

/** A service that listens, in a process of its own. */
export type Serving = {
  process: ChildProcess;
  /** Without a slash at the end. */
  origin: string;
  output(): string;
  errors(): string;
  ended: Promise<Ended>;
  /** Ends it with `signal`, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
};

const folders: string[] = [];
const running = new Set<ChildProcess>();

after(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => once(child, "exit")));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder for the data of a service; it goes after the last test of the file. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-process-"));
  folders.push(folder);
  return folder;
}

/** Runs `roomrack ARGS` as a person does, on a free port, with these settings alone, until it ends. */
export async function runCommand(args: readonly string[], settings: Settings): Promise<Ended> {
  return started(args, settings).ended;
}

/** Starts the service and waits until it says that it is ready. Throws what it said when it ends instead. */
export async function serve(settings: Settings): Promise<Serving> {
  const { child, ended, said } = started(["serve"], settings);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = setTimeout(() => reject(new Error(`Not ready in time: ${said.output}${said.errors}`)), START_LIMIT_MS);
  child.stdout.on("data", () => {
    const [, url] = READY.exec(said.output) ?? [];
    if (url !== undefined) resolve(url.replace(/\/$/, ""));
  });
  void ended.then(({ code, output, errors }) => reject(new Error(`Ended with ${code}: ${output}${errors}`)));
  const origin = await promise.finally(() => clearTimeout(late));
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  return { process: child, origin, output: () => said.output, errors: () => said.errors, ended, stop };
}

function started(args: readonly string[], settings: Settings) {
  const { PATH = "", SystemRoot = "" } = process.env;
  const env = { PATH, SystemRoot, PORT: "0", LOG_LEVEL: "warn", ...settings };
  const child = spawn(process.execPath, ["src/start.mjs", ...args], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const said = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.errors += text));
  const ended = once(child, "close").then(([code]): Ended => {
    running.delete(child);
    return { code: code as number | null, ...said };
  });
  return { child, ended, said };
}

/** Makes a property through its form. */
export async function createProperty(origin: string): Promise<void> {
  const form = await fetch(`${origin}/property/new`);
  const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(await form.text()) ?? [];
  const [cookie = ""] = form.headers.getSetCookie();
  const body = new URLSearchParams({ _csrf: token, code: "ALP", name: "Alpenblick" });
  const sent = await fetch(`${origin}/property/new`, { method: "POST", body, headers: { cookie }, redirect: "manual" });
  assert.equal(sent.status, 303);
}
