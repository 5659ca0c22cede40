import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Roomrack is ready: (\S+)$/m;
const START_LIMIT_MS = 180_000;

export type Settings = Readonly<Record<string, string>>;

export type Ended = { code: number | null; output: string; errors: string };

export type Serving = {
  process: ChildProcess;
  origin: string;
  output(): string;
  errors(): string;
  ended: Promise<Ended>;
  /** Sends `signal` (default SIGTERM) and waits until the process exits. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
};

const folders: string[] = [];
const running = new Set<ChildProcess>();

after(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => once(child, "exit")));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-process-"));
  folders.push(folder);
  return folder;
}

export async function runCommand(args: readonly string[], settings: Settings, root = ROOT): Promise<Ended> {
  return start(args, settings, root).ended;
}

/** Starts the service in `root` and waits until it is ready. Throws its output if it exits instead. */
export async function serve(settings: Settings, root = ROOT): Promise<Serving> {
  const { child, ended, printed } = start(["serve"], settings, root);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = setTimeout(() => reject(new Error(`Not ready in time: ${printed.output}${printed.errors}`)), START_LIMIT_MS);
  child.stdout.on("data", () => {
    const [, url] = READY.exec(printed.output) ?? [];
    if (url !== undefined) resolve(url.replace(/\/$/, ""));
  });
  void ended.then(({ code, output, errors }) => reject(new Error(`Ended with ${code}: ${output}${errors}`)));
  const origin = await promise.finally(() => clearTimeout(late));
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  return { process: child, origin, output: () => printed.output, errors: () => printed.errors, ended, stop };
}

function start(args: readonly string[], settings: Settings, root = ROOT) {
  const { PATH = "", SystemRoot = "" } = process.env;
  const env = { PATH, SystemRoot, PORT: "0", LOG_LEVEL: "warn", ...settings };
  const child = spawn(process.execPath, ["src/start.mjs", ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const printed = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.errors += text));
  const ended = once(child, "close").then(([code]): Ended => {
    running.delete(child);
    return { code: code as number | null, ...printed };
  });
  return { child, ended, printed };
}

export async function createProperty(origin: string): Promise<void> {
  const form = await fetch(`${origin}/property/new`);
  const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(await form.text()) ?? [];
  const [cookie = ""] = form.headers.getSetCookie();
  const body = new URLSearchParams({ _csrf: token, code: "ALP", name: "Alpenblick" });
  const sent = await fetch(`${origin}/property/new`, { method: "POST", body, headers: { cookie }, redirect: "manual" });
  assert.equal(sent.status, 303);
}

export const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>hello</EchoData></OTA_PingRQ>';

/** Sends a ping's headers. Resolves when the service is waiting for the body, which `finish` sends. */
export async function startPing({ origin }: Serving): Promise<{ finish(): Promise<string> }> {
  const { port, host } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
  const headers = `Content-Type: application/xml\r\nContent-Length: ${PING.length}\r\nExpect: 100-continue`;
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`POST /channel HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`);
  assert.match(String(await once(socket, "data")), /^HTTP\/1\.1 100 /);
  let response = "";
  socket.on("data", (part: string) => (response += part));
  return {
    async finish() {
      socket.write(PING);
      await closed;
      return response;
    },
  };
}
