import { rmSync } from "node:fs";
import { startPostgres } from "./postgres-server.ts";

/** `node postgres-keeper.ts PID FOLDER`: starts a server and prints its URL. Stops the server and removes FOLDER on SIGTERM or when process PID exits. */
const POLL_MS = 200;

const [watched, folder] = process.argv.slice(2) as [string, string];
const server = await startPostgres();
process.stdout.write(`${server.url}\n`);
process.on("SIGTERM", finish);
setInterval(() => {
  if (!isAlive(Number(watched))) finish();
}, POLL_MS);

function finish(): never {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
