import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HOUR_MS } from "../../calendar/night.ts";

export type BackupFile = { file: string; at: number; bytes: number };

export function backupPath(dataDir: string, now: number, reason: string): string {
  const timestamp = Temporal.Instant.fromEpochMilliseconds(now).toString().replaceAll(/[:.]/g, "-");
  return join(backupFolder(dataDir), `${reason}-${timestamp}.sqlite`);
}

function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

export async function removeEarlierBackups(file: string, reason: string): Promise<void> {
  const [folder, own] = [dirname(file), basename(file)];
  const earlierFiles = (await readdir(folder)).filter((name) => name.startsWith(`${reason}-`) && name < own);
  const { mtimeMs } = await stat(file);
  await Promise.all(earlierFiles.map((name) => removeBackup(join(folder, name), mtimeMs - HOUR_MS)));
}

/** Removes a backup. Keeps recent incomplete ones, because another process may still be writing them. */
async function removeBackup(file: string, idleSince: number): Promise<void> {
  const fileStat = await stat(file).catch(() => undefined);
  if (file.endsWith(".sqlite") || (fileStat && fileStat.mtimeMs < idleSince)) await rm(file, { force: true });
}

export async function findLastBackup(dataDir: string): Promise<BackupFile | undefined> {
  const folder = backupFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  const backups = await Promise.all(names.filter((name) => name.endsWith(".sqlite")).map((name) => describeBackup(join(folder, name))));
  return backups.filter((backup) => backup !== undefined).toSorted((a, b) => b.at - a.at)[0];
}

async function describeBackup(file: string): Promise<BackupFile | undefined> {
  const fileStat = await stat(file).catch(() => undefined);
  return fileStat?.isFile() ? { file, at: fileStat.mtimeMs, bytes: fileStat.size } : undefined;
}
