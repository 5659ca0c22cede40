import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startApp } from "../../test/support/app.ts";
import { openFresh } from "../../test/support/databases.ts";
import { countMessage, makeHotel, postXml, TODAY } from "../../test/support/hotel.ts";

/** As long as a backup or a large message of another process may write. */
const HELD_MS = 300;

test("while another process writes, pages, forms and messages wait for it", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const other = new DatabaseSync(join(place.folder, "roomrack.sqlite"));
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    other.exec("begin immediate");
    const asked = Promise.all([
      service.inject("/property/new"),
      service.inject("/property/ALP"),
      postXml(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] })),
    ]);
    await sleep(HELD_MS);
    other.exec("rollback");
    assert.deepEqual(
      (await asked).map(({ statusCode }) => statusCode),
      [200, 200, 200],
    );
  } finally {
    other.close();
    await service.close();
    await remove();
  }
});
