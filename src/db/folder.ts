import { closeSync, constants, existsSync, fchownSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const ROOT_UID = 0;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Creates a private folder and its parents. Node's recursive mkdir never returns if nothing can be created, such as in `/proc`. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (!existsSync(path)) throw error;
    return;
  }
  if (isRoot()) chownToFolderOwner(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
}

export function makeFile(path: string): void {
  const file = openSync(path, "wx", 0o600);
  if (isRoot()) chownToFolderOwner(file, path);
  else closeSync(file);
}

export function isOpenToOthers(folder: string): boolean {
  if (process.platform === "win32") return false;
  try {
    return (statSync(folder).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/** Makes renames in a folder durable. Does nothing on Windows. */
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
  return process.getuid?.() === ROOT_UID;
}

/** Changes a file's owner to that of its folder. Uses a handle, because the path could be replaced by a link. */
function chownToFolderOwner(handle: number, path: string): void {
  const { uid, gid } = statSync(dirname(path));
  fchownSync(handle, uid, gid);
  closeSync(handle);
}
