import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stopwatch } from "../src/clock.ts";

/** `npm run check`: runs all CI checks, even if one of them fails. */
const STEPS = [
  { name: "types", program: "tsc", args: [] },
  { name: "lint", program: "oxlint", args: [] },
  { name: "format", program: "oxfmt", args: ["--check", "."] },
  { name: "dead code", program: "knip", args: ["--no-progress"] },
  { name: "architecture", program: "node", args: ["--test", "test/architecture.test.ts"] },
];
type Step = (typeof STEPS)[number];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const seconds = stopwatch();
const failed: string[] = [];
for (const step of STEPS) {
  const since = stopwatch();
  const { passed, output } = await run(step);
  console.log(`${passed ? "✔" : "✖"} ${step.name} (${(since() / 1000).toFixed(1)} s)`);
  if (passed) continue;
  failed.push(step.name);
  console.log(output);
}
console.log(failed.length === 0 ? `All checks passed in ${(seconds() / 1000).toFixed(1)} s` : `Failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run({ program, args }: Step): Promise<{ passed: boolean; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ passed: boolean; output: string }>();
  const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("error", ({ message }) => resolve({ passed: false, output: message }));
  child.on("close", (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  return promise;
}
