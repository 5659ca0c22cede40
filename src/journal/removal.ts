import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Database, Row, Statement } from "../db/database.ts";
import { deleteByKey, updateByKey } from "../db/statements.ts";
import { firstIdAfter } from "./messages.ts";

/** Selects the messages received before a time (milliseconds since 1970), for one property or for all. */
export type MessageRemoval = { property: string | undefined; before: number };

/** `gone` counts deleted messages. `emptied` counts messages that lost only their bodies, because they set or cleared nights. */
export type RemovalCount = { gone: number; emptied: number };

/** Lock for deletions of messages. Two concurrent ones could deadlock on PostgreSQL and count messages twice. */
export const REMOVAL_LOCK = "message";
const MAX_COUNTED_MESSAGES = 20_000;
const BATCH_SIZE = 500;
/** 1 if the row must be kept, because stored nights name it as their source or their history needs it. */
const KEEPS_ENTRY = "case when last_night is not null or (changed_nights > 0 and dry_run = 0) then 1 else 0 end";

/** Counts only among the newest messages. If `exact` is false, there may be more. */
export async function countRemoval(database: Database, { property, before }: MessageRemoval): Promise<RemovalCount & { exact: boolean }> {
  const all = database.read.selectFrom("message").where("id", "<", await firstIdAfter(database, before));
  const selectedMessages = property === undefined ? all : all.where("property", "=", property);
  const keepsEntry = sql.raw<number>(KEEPS_ENTRY).as("stays");
  const newestMessages = selectedMessages.select(["received_at", "pruned", keepsEntry]).orderBy("id", "desc").limit(MAX_COUNTED_MESSAGES);
  const {
    rows,
    whole,
    emptied: emptiedIds,
  } = await database.read
    .selectFrom(newestMessages.as("newest"))
    .select(({ fn, eb }) => {
      const matching = eb.and([eb("pruned", "=", 0), eb("received_at", "<", before)]);
      return [
        fn.countAll<number>().as("rows"),
        fn.countAll<number>().filterWhere(matching).as("whole"),
        fn.countAll<number>().filterWhere(matching).filterWhere("stays", "=", 1).as("emptied"),
      ];
    })
    .executeTakeFirstOrThrow();
  return { gone: whole - emptiedIds, emptied: emptiedIds, exact: rows < MAX_COUNTED_MESSAGES };
}

/**
 * Deletes messages in small steps, newest first, so that other messages can be handled in between. Yields after each step; stop iterating
 * to end early. Keeps undo records and the rows of messages that set or cleared nights, so that nights still show when and by whom they
 * were set, and `asOf` reaches as far back as before.
 */
export async function* removeMessages(
  database: Database,
  { property, before }: MessageRemoval,
): AsyncGenerator<RemovalCount & { done: boolean }> {
  const propertyCondition = property === undefined ? "" : "property = ? and ";
  const query = `select id, received_at, pruned, ${KEEPS_ENTRY} as stays from message where ${propertyCondition}id < ? order by id desc limit ${BATCH_SIZE}`;
  for (let end: number | undefined = await firstIdAfter(database, before); end !== undefined; await nextTurn()) {
    const values: (string | number)[] = property === undefined ? [end] : [property, end];
    const step = await database.commit({
      lock: REMOVAL_LOCK,
      read: [{ sql: query, values }],
      decide: ([rows]) => removeSome(rows!, before),
    });
    end = step.end;
    yield { gone: step.gone, emptied: step.emptied, done: end === undefined };
  }
}

function removeSome(rows: readonly Row[], before: number) {
  const matching = rows.filter(({ pruned, received_at: at }) => pruned === 0 && (at as number) < before);
  const { gone: deletedIds, emptied: emptiedIds, write } = planRemoval(matching, (row) => row.stays === 1);
  return {
    write,
    result: { gone: deletedIds, emptied: emptiedIds, end: rows.length < BATCH_SIZE ? undefined : (rows.at(-1)!.id as number) },
  };
}

function planRemoval(rows: readonly Row[], keepsEntry: (row: Row) => boolean): RemovalCount & { write: Statement[] } {
  const deletedIds = listIds(rows.filter((row) => !keepsEntry(row)));
  const emptiedIds = listIds(rows.filter((row) => keepsEntry(row) && row.pruned === 0));
  const write = [
    ...deleteByKey("message_body", "message", [...deletedIds, ...emptiedIds]),
    ...deleteByKey("message", "id", deletedIds),
    ...updateByKey("update message set pruned = 1, remote = null where id", emptiedIds),
  ];
  return { gone: deletedIds.length, emptied: emptiedIds.length, write };
}

export function listIds(rows: readonly Row[]): number[] {
  return rows.map(({ id }) => id as number);
}
