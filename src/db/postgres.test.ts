import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startApp } from "../../test/support/app.ts";
import { openFresh } from "../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, TODAY } from "../../test/support/hotel.ts";

const MESSAGE = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] });

test("what is under way when the server ends its connections fails, and the service goes on", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = new Client({ connectionString: place.url });
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await other.connect();
    await other.query("begin");
    await other.query("lock table property");
    const asked = Promise.all([postXml(service, MESSAGE), service.inject("/property/ALP")]);
    while ((await countWaiting(other)) < 2) await sleep(10);
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await other.query("rollback");
    assert.deepEqual(
      (await asked).map(({ statusCode }) => statusCode),
      [500, 500],
    );
    await postMessage(service, MESSAGE);
    assert.equal((await service.inject("/property/ALP")).statusCode, 200);
    assert.match((await service.inject("/tools/errors")).body, />DatabaseError<[\s\S]*terminating connection due to administrator command/);
  } finally {
    await other.end();
    await service.close();
    await remove();
  }
});

/** How many of the database's connections wait for a lock on a table. */
async function countWaiting(client: Client): Promise<number> {
  const waiting = "select pid from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted";
  return (await client.query(waiting)).rows.length;
}
