import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../../test/support/hotel.ts";
import { pgBouncerVersion, startPgBouncer } from "../../../test/support/pg-bouncer.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const version = pgBouncerVersion();
const TRACKS_STATEMENTS = 1.21;
const skip = version === undefined && "PgBouncer is not installed";
const message = (count: number) => countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, count]] });

test("works through PgBouncer in session mode", { skip }, () => storeThrough(["pool_mode = session"]));

test(
  "works through PgBouncer in transaction mode if it tracks prepared statements, and otherwise suggests session mode",
  { skip },
  async () => {
    if (version! >= TRACKS_STATEMENTS) {
      await storeThrough(["pool_mode = transaction", "default_pool_size = 3", "max_prepared_statements = 200"]);
      await assert.rejects(storeThrough(["pool_mode = transaction", "max_prepared_statements = 0"]), /Set pool_mode = session/);
    } else {
      await assert.rejects(storeThrough(["pool_mode = transaction"]), /Set pool_mode = session/);
    }
  },
);

async function storeThrough(settings: readonly string[]): Promise<void> {
  const { place, database: direct, remove } = await openFresh("PostgreSQL");
  await direct.close();
  try {
    await using pooler = await startPgBouncer(place.url!, settings);
    const database = await openDatabase(pooler.url, place.folder);
    await migrate(database);
    const service = await startApp({ database });
    try {
      await makeHotel(service);
      await Promise.all(Array.from({ length: 20 }, (_, count) => postMessage(service, message(count))));
      await postMessage(service, message(37));
      assert.match((await service.inject(`/inventories?property=ALP&from=${TODAY}&days=7&format=csv`)).body, /\b37\b/);
    } finally {
      await service.close();
      await database.close();
    }
  } finally {
    await remove();
  }
}
