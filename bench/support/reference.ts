import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "./child.ts";

const SCRIPT = fileURLToPath(new URL("reference-server.ts", import.meta.url));

/** Starts a bare `node:http` server that always sends `response`. Its rate is an upper bound for any Node service. */
export async function startReference(response: { status: number; type: string; body: string }): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-bench-"));
  const file = join(folder, "body");
  writeFileSync(file, response.body);
  const server = await startServer([SCRIPT, String(response.status), response.type, file]);
  rmSync(folder, { recursive: true });
  return server;
}
