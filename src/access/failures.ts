import type { CompiledQuery } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Row, Statement } from "../db/database.ts";
import type { SignInRow } from "../db/schema.ts";
import { ADDRESS_KNOWN_MS } from "../web/guard/attempts.ts";
import type { FailureCount, FailureStore, FoundFailures } from "../web/guard/backoff.ts";

/** The kinds of sign-in. Failures are counted separately for each kind. `audit` counts refusals recorded in the audit log. */
type FailureKind = SignInRow["door"];
const FAILURE_KINDS: readonly FailureKind[] = ["people", "senders", "audit"];

/** Failures are deleted a minute after their lockout ends. */
const FAILURE_LIFETIME_MS = 60_000;
/** Rows that expire further in the future than this were stored while the clock was ahead. */
const MAX_CLOCK_SKEW_MS = 2 * ADDRESS_KNOWN_MS;
/** Maximum number of expired rows to delete each time a failure is stored. */
const MAX_DELETED_ROWS = 100;

/** Stores failed sign-ins in the database, shared by all processes. */
export function failureStore({ read, commit }: Database, clock: Clock, kind: FailureKind): FailureStore {
  /** Compiled queries by number of keys, because every request with a password runs a query. */
  const queriesByCount = new Map<number, CompiledQuery<SignInRow>>();
  const queryFor = (count: number) =>
    read.selectFrom("sign_in").selectAll().where("door", "=", kind).where("key", "in", Array<string>(count).fill("")).compile();
  return {
    async find(keys) {
      const query = queriesByCount.getOrInsertComputed(keys.length, queryFor);
      const { rows } = await read.executeQuery<SignInRow>({ ...query, parameters: [kind, ...keys] });
      return indexByKey(rows);
    },
    change: (keys, decide) =>
      commit({
        lock: lockName(kind),
        read: [selectKeys(kind, keys)],
        decide([rows = []]) {
          const { store, result } = decide(indexByKey(rows));
          const write = [...store].map(([key, failures]) => upsertFailure(kind, key, failures));
          return { write: write.length === 0 ? write : [...write, deleteExpired(kind, clock.now())], result };
        },
      }),
  };
}

/** Deletes expired rows, and rows stored while the clock was ahead. */
export async function pruneFailures({ commit }: Database, now: number): Promise<void> {
  const sql = "delete from sign_in where door = ? and (until < ? or until > ?)";
  for (const kind of FAILURE_KINDS) {
    const write = [{ sql, values: [kind, now - FAILURE_LIFETIME_MS, now + MAX_CLOCK_SKEW_MS] }];
    await commit({ lock: lockName(kind), read: [], decide: () => ({ write, result: undefined }) });
  }
}

function lockName(kind: FailureKind): string {
  return `roomrack: sign-in of ${kind}`;
}

function indexByKey(rows: readonly (Row | SignInRow)[]): FoundFailures {
  return new Map(rows.map(({ key, failures, until }) => [String(key), { count: Number(failures), until: Number(until) }]));
}

function selectKeys(kind: FailureKind, keys: readonly string[]): Statement {
  const placeholders = keys.map(() => "?").join(", ");
  return { sql: `select key, failures, until from sign_in where door = ? and key in (${placeholders})`, values: [kind, ...keys] };
}

const UPSERT_FAILURE =
  "insert into sign_in (door, key, failures, until) values (?, ?, ?, ?) on conflict (door, key) do update set failures = excluded.failures, until = excluded.until";

function upsertFailure(kind: FailureKind, key: string, { count, until }: FailureCount): Statement {
  return { sql: UPSERT_FAILURE, values: [kind, key, count, until] };
}

const DELETE_EXPIRED = `delete from sign_in where door = ? and key in (select key from sign_in where door = ? and until < ? order by until limit ${MAX_DELETED_ROWS})`;

function deleteExpired(kind: FailureKind, now: number): Statement {
  return { sql: DELETE_EXPIRED, values: [kind, kind, now - FAILURE_LIFETIME_MS] };
}
