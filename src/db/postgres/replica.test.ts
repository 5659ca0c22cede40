import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { makeHotel, makeProperty } from "../../../test/support/hotel.ts";
import { startPostgres } from "../../../test/support/postgres-server.ts";
import { queryOnce, waitForReplay } from "../../../test/support/replication.ts";
import { until } from "../../../test/support/until.ts";
import { currentReplicaStatus } from "../../web/replica-reading.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const NOTE = /Read from a replica\. The data may be up to \d seconds? old\./;
const LISTS = ["/property", "/category", "/dev/logs", "/tools/errors", "/tools/audit"];

test("reads lists and logs from a replica only while its lag is small, and says so in a note", async () => {
  const primary = await startPostgres();
  const standby = await primary.addStandby();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-replica-"));
  const replica = { url: standby.url, maxDelayMs: 3_000, reading: currentReplicaStatus };
  const database = await openDatabase(`${primary.url}?connect_timeout=3`, folder, { replica });
  await migrate(database);
  const service = await startApp({ database });
  const show = async (path: string) => (await service.inject(path)).body;
  try {
    await makeHotel(service);
    await waitForReplay(primary.url, standby.url);
    for (const path of LISTS) assert.match(await show(path), NOTE, path);
    assert.doesNotMatch(await show("/property/ALP"), NOTE);

    await queryOnce(standby.url, "select pg_wal_replay_pause()");
    await makeProperty(service, { code: "BER", name: "Berghof" });
    const behind = await show("/property");
    assert.match(behind, NOTE);
    assert.doesNotMatch(behind, /Berghof/, "the replica doesn't have it yet");
    assert.match(await show("/property/BER"), /Berghof/);
    const current = await until("the primary", async () => [await show("/property")].find((page) => page.includes("Berghof")));
    assert.doesNotMatch(current, NOTE);

    await queryOnce(standby.url, "select pg_wal_replay_resume()");
    await until("the replica", async () => NOTE.test(await show("/property")));
    standby.freeze();
    const pages = await Promise.all(LISTS.map((path) => service.inject(path)));
    assert.ok(pages.every(({ statusCode }) => statusCode === 200 || statusCode === 503));
    for (const path of LISTS) assert.doesNotMatch(await show(path), NOTE, path);
    assert.equal((await service.inject("/property")).statusCode, 200);
  } finally {
    standby.thaw();
    await service.close();
    await database.close();
    standby.stop();
    primary.stop();
    rmSync(folder, { recursive: true });
  }
});
