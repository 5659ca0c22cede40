import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

type Found = { plan: string; steps: { subject: string; problem: string; safe: boolean; statements: string[] }[] };

async function differences(service: TestApp): Promise<Found> {
  return (await service.inject("/tools/dbsync?format=json")).json<Found>();
}

async function stepsOf(service: TestApp): Promise<string[]> {
  return (await differences(service)).steps.map(({ subject, problem, safe }) => `${subject} ${problem}: ${safe ? "run" : "manual"}`);
}

eachEngine("schema repair", (open) => {
  test("recreates an index that covers the wrong columns", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    await sql`drop index category_name`.execute(write);
    await sql`create index category_name on category (code)`.execute(write);
    assert.deepEqual(await stepsOf(service), ["index category_name has a different definition: run"]);
    const applied = await service.visitor().post("/tools/dbsync", { action: "apply", plan: (await differences(service)).plan });
    assert.equal(applied.statusCode, 303);
    assert.deepEqual(await stepsOf(service), []);
  });

  test("issues a new plan if the schema changes, even if only migrations are pending", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    const last = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(write);
    await sql`delete from kysely_migration where name = ${last.rows[0]!.name}`.execute(write);
    const before = await differences(service);
    await sql`create table mine (a integer)`.execute(write);
    const after = await differences(service);
    assert.deepEqual(after.steps, before.steps);
    assert.deepEqual(
      after.steps.map(({ subject }) => subject),
      [`migration ${last.rows[0]!.name}`],
    );
    assert.notEqual(after.plan, before.plan);
  });

  test("leaves changed column types and required columns to be fixed manually", async () => {
    await using service = await startApp({ database: await open() });
    const { write } = service.database;
    await sql`alter table property drop column notes`.execute(write);
    await sql`alter table property add column notes integer`.execute(write);
    await sql`alter table property drop column currency`.execute(write);
    await sql`create index by_region on property (region)`.execute(write);
    const [missing, other, index, ...more] = (await stepsOf(service)).toSorted();
    assert.equal(missing, "column property.currency is missing, and existing rows would have no value for it: manual");
    assert.match(other!, /^column property\.notes is “integer.*”, declared as “text.*”: manual$/);
    assert.match(index!, /^index by_region .*: manual$/);
    assert.deepEqual(more, []);
    const refused = await service.visitor().post("/tools/dbsync", { action: "apply", plan: (await differences(service)).plan });
    assert.equal(refused.headers.location, "/tools/dbsync");
    assert.equal((await stepsOf(service)).length, 3);
    assert.match((await service.inject("/tools/dbsync")).body, /manual/);
  });
});
