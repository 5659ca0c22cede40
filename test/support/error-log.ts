import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../src/db/database.ts";
import type { ErrorEntry } from "../../src/errors/entry.ts";
import type { ErrorLog } from "../../src/errors/recorder.ts";

export async function newest(errors: ErrorLog): Promise<ErrorEntry> {
  const { entries } = await errors.list({}, { limit: 1 });
  const entry = await errors.find(entries[0]!.id);
  return entry!;
}

/** Returns the messages of all entries, newest first. */
export async function allMessages(errors: ErrorLog): Promise<string[]> {
  const { entries } = await errors.list({}, { limit: 10_000 });
  return entries.map((entry) => entry.message);
}

export async function countRows(database: Database): Promise<number> {
  const { count } = await database.read
    .selectFrom("error_entry")
    .select((of) => of.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns a database that throws after its first commit, as if the connection had been lost before the response arrived. */
export function failingAfterCommit(database: Database): Database {
  let lost = false;
  return {
    ...database,
    async commit(batch) {
      const result = await database.commit(batch);
      if (lost) return result;
      lost = true;
      throw new Error("the connection was lost");
    },
  };
}

export function readSpool(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.startsWith("errors-spool"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
