import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { eachEngine } from "../../test/support/databases.ts";
import { addHotels, openHotels } from "../../test/support/work.ts";
import type { Batch, Database, Statement } from "./database.ts";

const AUDIT = "insert into audit (at, actor, action, subject, detail) values (0, 'test', 'noted', ?, '')";
const insertSubject = (subject: string): Statement => ({ sql: AUDIT, values: [subject] });
const COUNT_SUBJECTS: Statement = { sql: "select count(*) as subjects from audit where actor = 'test'", values: [] };
const unknownHotel: Statement = {
  sql: "insert into rate_plan (property, code, status, first_seen_at, last_seen_at) values ('NONE', 'X', 'active', 0, 0)",
  values: [],
};

/** Returns a batch with its own lock, so that it can share a commit. */
function batch(lock: string, write: readonly Statement[]): Batch<string> {
  return { lock, read: [], decide: () => ({ write, result: lock }) };
}

async function notes({ read }: Database): Promise<string[]> {
  const rows = await read.selectFrom("audit").select("subject").where("actor", "=", "test").orderBy("id").execute();
  return rows.map(({ subject }) => subject).toSorted();
}

eachEngine("commit with concurrent batches", (open) => {
  test("stores all batches except one that fails partway through", async () => {
    const database = await openHotels(open);
    const ended = await Promise.allSettled([
      database.commit(batch("H1", [insertSubject("first")])),
      database.commit(batch("H2", [insertSubject("lost"), unknownHotel, insertSubject("never")])),
      database.commit(batch("H3", [insertSubject("third")])),
    ]);
    assert.deepEqual(
      ended.map((result) => (result.status === "fulfilled" ? result.value : "failed")),
      ["H1", "failed", "H3"],
    );
    assert.deepEqual(await notes(database), ["first", "third"]);
  });

  test("stores all batches except one whose `decide` function throws", async () => {
    const database = await open();
    const undecided: Batch<string> = { ...batch("H2", []), decide: () => assert.fail("no decision") };
    const ended = await Promise.allSettled([database.commit(batch("H1", [insertSubject("first")])), database.commit(undecided)]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    assert.deepEqual(await notes(database), ["first"]);
  });

  test("gives batches increasing ids and shows each one the writes of earlier batches", async () => {
    const database = await open();
    const seen = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.commit({
          lock: "H1",
          read: [COUNT_SUBJECTS],
          decide: ([rows], id) => ({ write: [insertSubject(`${index}`)], result: { id, subjects: Number(rows![0]!.subjects) } }),
        }),
      ),
    );
    assert.deepEqual(
      seen.toSorted((a, b) => a.id - b.id).map(({ subjects }) => subjects),
      seen.map((_, index) => index),
    );
    assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
  });
});

eachEngine("commit with successive batches", (open) => {
  test("stores every batch, however quickly batches arrive", async () => {
    const database = await open();
    const timeout = sleep(10_000, "timeout" as const, { ref: false });
    for (let turns = 0; turns < 12; turns++) {
      assert.equal(await Promise.race([database.commit(batch("H1", [insertSubject(`${turns}`)])), timeout]), "H1", `after ${turns} turns`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    }
    assert.equal((await notes(database)).length, 12);
  });
});

eachEngine("commit during a schema change", (open, makePlace) => {
  test("continues when another process adds a column, as during an upgrade", async () => {
    const place = await makePlace();
    const database = await open(place);
    await addHotels(database);
    const read: Statement = { sql: "select * from property where code = ?", values: ["H1"], records: true };
    const columns = (lock: string | undefined) =>
      database.commit({ lock, read: [read], decide: ([rows]) => ({ write: [], result: Object.keys(rows![0]!) }) });
    const many = () => Promise.all(Array.from({ length: 20 }, (_, index) => columns(index % 2 ? "H1" : undefined)));
    const [before] = await many();
    await sql`alter table property add column added text`.execute((await open(place)).write);
    for (const after of await many()) assert.deepEqual(after.toSorted(), [...before!, "added"].toSorted());
  });
});

eachEngine("commit in two processes", (open, makePlace) => {
  test("shows a batch what earlier batches wrote under the same lock, at any default isolation level", async () => {
    const place = await makePlace();
    if (place.url !== undefined) await setIsolation(await open(place));
    const databases = [await open(place), await open(place)];
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        databases[index % 2]!.commit({
          lock: "H1",
          read: [COUNT_SUBJECTS],
          decide: ([rows]) => ({ write: [insertSubject(`${index}`)], result: Number(rows![0]!.subjects) }),
        }),
      ),
    );
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      seen.map((_, index) => index),
    );
  });
});

eachEngine("reserve", (open, makePlace) => {
  test("never reserves an id that another reservation or a batch uses", async () => {
    const place = await makePlace();
    const databases = [await open(place), await open(place)];
    const idOf = (database: Database) => database.commit({ lock: undefined, read: [], decide: (_rows, id) => ({ write: [], result: id }) });
    const reservedIds = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const first = await databases[index % 2]!.reserve(100);
        return [await idOf(databases[index % 2]!), ...Array.from({ length: 100 }, (_one, offset) => first + offset)];
      }),
    );
    assert.equal(new Set(reservedIds.flat()).size, 40 * 101);
  });
});

async function setIsolation({ write }: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(write);
  await sql`alter database ${sql.id(rows[0]!.name)} set default_transaction_isolation to 'repeatable read'`.execute(write);
}
