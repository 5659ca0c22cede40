import { closeSync, constants, existsSync, fchownSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const ROOT = 0;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Makes a folder that only its owner can open, and those above it. Node's recursive mkdir never returns if nothing can be made, as in `/proc`. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (!existsSync(path)) throw error;
    return;
  }
  if (isRoot()) giveAway(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
}

/** Makes an empty file for data, which nobody else can read. Throws when there is one, or a link. */
export function makeFile(path: string): void {
  const file = openSync(path, "wx", 0o600);
  if (isRoot()) giveAway(file, path);
  else closeSync(file);
}

/** Whether other users may look into a folder; false on Windows, which has no such modes, and if the folder cannot be looked at. */
export function isOpenToOthers(folder: string): boolean {
  if (process.platform === "win32") return false;
  try {
    return (statSync(folder).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/** Puts the names in a folder on the disk, which a file that is on the disk does not do for its own. Windows has no way to ask for it. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === ROOT;
}

/**
 * What root makes belongs to whom the folder around it belongs to: a service that they run has to write it. By its handle, as they could
 * put a link in its place.
 */
function giveAway(handle: number, path: string): void {
  const { uid, gid } = statSync(dirname(path));
  fchownSync(handle, uid, gid);
  closeSync(handle);
}
