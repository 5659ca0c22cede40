import { existsSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

/** Linux keeps these files in memory. Creating a PostgreSQL database takes 12 ms there, and 250 ms on the disk of the same machine. */
const MEMORY = "/dev/shm";
const WANTED_BYTES = 2 ** 31;

/** Returns a folder for temporary files: in memory if there is plenty of it, otherwise the usual one. */
export function memoryFolder(): string {
  if (!existsSync(MEMORY) || freemem() < 2 * WANTED_BYTES) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > WANTED_BYTES ? MEMORY : tmpdir();
}
