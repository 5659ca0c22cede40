import assert from "node:assert/strict";
import { renameSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startApp } from "../../../test/support/app.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postXml, TODAY } from "../../../test/support/hotel.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

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

test("while another process makes the same new file, or takes ids in it, who opens it waits", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roomrack-"));
  const other = new DatabaseSync(join(folder, "roomrack.sqlite"));
  const release = () => other.exec("commit");
  try {
    other.exec("begin exclusive");
    const opening = openDatabase(undefined, folder);
    await sleep(HELD_MS).then(release);
    await using database = { open: await opening, [Symbol.asyncDispose]: async () => database.open.close() };
    await migrate(database.open);
    other.exec("begin immediate");
    const taking = database.open.reserve(2);
    await sleep(HELD_MS).then(release);
    assert.equal(await taking, 1);
  } finally {
    other.close();
    await rm(folder, { recursive: true });
  }
});

test("while its file is moved away nothing is taken, what is known can be read, and it goes on when it is back", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const file = join(place.folder, "roomrack.sqlite");
  const service = await startApp({ database });
  const post = () => postXml(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
  try {
    await makeHotel(service);
    renameSync(file, `${file}.away`);
    const refused = await post();
    assert.equal(refused.statusCode, 500);
    assert.doesNotMatch(refused.body, /<Success/);
    for (const url of ["/property/ALP", "/tools/phpinfo"]) assert.equal((await service.inject(url)).statusCode, 200, url);
    renameSync(`${file}.away`, file);
    assert.match((await post()).body, /<Success/);
    assert.match((await service.inject("/tools/errors")).body, /is no longer the file that was opened/);
  } finally {
    await service.close();
    await remove();
  }
});

test("its size counts what is written and not yet in its file", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const { location, bytes } = await service.database.describe();
  assert.ok(statSync(location).size < bytes, `${bytes}`);
});
