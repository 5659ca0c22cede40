import { statfs } from "node:fs/promises";
import { listPeople, type Person } from "../../../access/people.ts";
import { type ApiToken, listTokens } from "../../../access/tokens.ts";
import { type Config, isAccessOpen } from "../../../config.ts";
import { isOpenToOthers } from "../../../db/folder.ts";
import { migrationState } from "../../../db/migrate.ts";
import { type BackupFile, findLastBackup } from "../backups.ts";
import type { ToolDeps } from "../tool.ts";
import { findNewestTime, listActiveSenders, type ActiveSender } from "./store.ts";

/** Data for the checks. `fileSystem` is the name of a network file system, if DATA_DIR is on one. */
export type ReadinessFacts = {
  config: Config;
  now: number;
  open: boolean;
  people: readonly Person[];
  tokens: readonly ApiToken[];
  senders: readonly ActiveSender[];
  lastBackup: BackupFile | undefined;
  schemaDifferences: readonly string[];
  newestTime: number;
  fileSystem: string | undefined;
  isFolderOpen: boolean;
  untrustedProxy: string | undefined;
};

export async function readFacts({ config, clock, database, untrustedProxy }: ToolDeps): Promise<ReadinessFacts> {
  const { pending, unknown } = await migrationState(database);
  const now = clock.now();
  const tokens = await listTokens(database);
  return {
    config,
    now,
    open: isAccessOpen(config),
    people: await listPeople(database),
    tokens: tokens.filter(({ revokedAt, expiresAt = now + 1 }) => revokedAt === undefined && expiresAt > now),
    senders: await listActiveSenders(database, now),
    lastBackup: await findLastBackup(config.dataDir),
    schemaDifferences: [...pending.map(({ name }) => name), ...unknown],
    newestTime: await findNewestTime(database),
    fileSystem: await findNetworkFileSystem(config.dataDir),
    isFolderOpen: isOpenToOthers(config.dataDir),
    untrustedProxy: untrustedProxy(),
  };
}

/** The type numbers that Linux reports for network file systems. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
]);

async function findNetworkFileSystem(folder: string): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  const fileSystem = await statfs(folder).catch(() => undefined);
  return fileSystem && NETWORK_FILE_SYSTEMS.get(fileSystem.type >>> 0);
}
