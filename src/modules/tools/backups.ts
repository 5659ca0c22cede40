import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HOUR_MS } from "../../calendar/night.ts";

/** A copy of the data that the service wrote; `at` is UTC milliseconds. */
export type Backup = { file: string; at: number; bytes: number };

/** Where a backup that is made at `now` for a reason is kept, with its time in the name. */
export function backupPath(dataDir: string, now: number, reason: string): string {
  const stamp = Temporal.Instant.fromEpochMilliseconds(now).toString().replaceAll(/[:.]/g, "-");
  return join(folderIn(dataDir), `${reason}-${stamp}.sqlite`);
}

function folderIn(dataDir: string): string {
  return join(dataDir, "backups");
}

/** Removes the backups that were made for the same reason as `file`, but before it, and what is left of those that were killed. */
export async function removeEarlierBackups(file: string, reason: string): Promise<void> {
  const [folder, own] = [dirname(file), basename(file)];
  const earlier = (await readdir(folder)).filter((name) => name.startsWith(`${reason}-`) && name < own);
  const { mtimeMs } = await stat(file);
  await Promise.all(earlier.map((name) => removeBackup(join(folder, name), mtimeMs - HOUR_MS)));
}

/** One that is not whole may be of another process, which goes on with it. */
async function removeBackup(file: string, idleSince: number): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (file.endsWith(".sqlite") || (found && found.mtimeMs < idleSince)) await rm(file, { force: true });
}

/** The newest backup that is whole; undefined while there is none. */
export async function findLastBackup(dataDir: string): Promise<Backup | undefined> {
  const folder = folderIn(dataDir);
  const names = await readdir(folder).catch(() => []);
  const backups = await Promise.all(names.filter((name) => name.endsWith(".sqlite")).map((name) => describe(join(folder, name))));
  return backups.filter((backup) => backup !== undefined).toSorted((a, b) => b.at - a.at)[0];
}

/** Undefined for a file that somebody just took away. */
async function describe(file: string): Promise<Backup | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, at: found.mtimeMs, bytes: found.size } : undefined;
}
