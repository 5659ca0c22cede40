import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../app.ts";
import type { Clock } from "../../clock.ts";
import { readConfig } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open.ts";
import { openErrorLog } from "../error-log.ts";

export type FreshApp = AsyncDisposable & { app: FastifyInstance; database: Database };

/** Injected requests have a host without a port, so the service must use the default port. */
const TEST_SETTINGS = { NODE_ENV: "test", PORT: "80" };

export async function startFreshApp(clock: Clock): Promise<FreshApp> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-conformance-"));
  const config = readConfig({ ...TEST_SETTINGS, DATA_DIR: folder });
  const database = await openDatabase(undefined, folder);
  await migrate(database);
  const errors = openErrorLog(config, database, clock);
  const app = await buildApp({ config, clock, database, errors, credentials: undefined });
  async function close(): Promise<void> {
    await app.close();
    await errors.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { app, database, [Symbol.asyncDispose]: close };
}
