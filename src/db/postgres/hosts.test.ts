import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "pg";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, postXml, TODAY } from "../../../test/support/hotel.ts";
import { startPostgres } from "../../../test/support/postgres-server.ts";
import { until } from "../../../test/support/until.ts";
import { hostUrls } from "../../database-url.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const message = (count: number) => countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, count]] });

test("moves to the standby when the primary fails and the standby is promoted, without a restart", async () => {
  const first = await startPostgres();
  const second = await first.addStandby();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-hosts-"));
  const ports = [second, first].map(({ url }) => new URL(url).host);
  const url = first.url.replace(new URL(first.url).host, ports.join());
  const database = await openDatabase(`${url}?target_session_attrs=read-write`, folder);
  await migrate(database);
  const service = await startApp({ database });
  try {
    assert.match((await database.describe()).location, new RegExp(`^${ports[1]}/`), "the primary is listed second");
    await makeHotel(service);
    await postMessage(service, message(3));
    await waitForReplay(first.url, second.url);
    first.kill();
    const [refused, page] = [await postXml(service, message(4)), await service.inject("/property/ALP")];
    assert.deepEqual([refused.statusCode, page.statusCode], [503, 503], "while there is no primary");
    second.promote();
    await postMessage(service, message(5));
    assert.equal((await service.inject("/property/ALP")).statusCode, 200);
    assert.match((await database.describe()).location, new RegExp(`^${ports[0]}/`));
  } finally {
    await service.close();
    await database.close();
    second.stop();
    first.stop();
    rmSync(folder, { recursive: true });
  }
});

async function waitForReplay(primary: string, standby: string): Promise<void> {
  const { flushed } = await queryOnce<{ flushed: string }>(primary, "select pg_current_wal_flush_lsn() as flushed");
  const caughtUp = `select pg_last_wal_replay_lsn() >= '${flushed}' as done`;
  await until("the standby to catch up", async () => (await queryOnce<{ done: boolean }>(standby, caughtUp)).done);
}

async function queryOnce<Row>(url: string, query: string): Promise<Row> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows[0] as Row;
}

test("splits a URL with several hosts into one URL for each", () => {
  assert.deepEqual(hostUrls("postgres://u:p,w@one:5432,[::1]:5433,three/db?target_session_attrs=read-write"), [
    "postgres://u:p,w@one:5432/db?target_session_attrs=read-write",
    "postgres://u:p,w@[::1]:5433/db?target_session_attrs=read-write",
    "postgres://u:p,w@three/db?target_session_attrs=read-write",
  ]);
  for (const url of ["postgres://u@one,,two/db", "postgres://u@one:x,two/db", "postgres://one/db?target_session_attrs=standby"])
    assert.equal(hostUrls(url), undefined, url);
});
