import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "./child.ts";

/** Starts raw node:http that answers `answer` to everything. */
export async function startReference(answer: { status: number; type: string; body: string }): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-bench-"));
  const file = join(folder, "answer");
  writeFileSync(file, answer.body);
  const script = fileURLToPath(new URL("reference-server.ts", import.meta.url));
  const server = await startServer([script, String(answer.status), answer.type, file]);
  rmSync(folder, { recursive: true });
  return server;
}
