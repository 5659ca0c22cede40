import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, postXml, TODAY } from "../../../test/support/hotel.ts";
import { startPostgres } from "../../../test/support/postgres-server.ts";
import { queryOnce, waitForReplay } from "../../../test/support/replication.ts";
import { hostUrls } from "../../database-url.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const message = (count: number) => countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, count]] });

test("switches to the promoted standby without a restart if the primary fails", async () => {
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
    assert.deepEqual([page.headers["retry-after"], page.headers.refresh], ["5", "5"]);
    assert.match(page.body, /The database is temporarily read-only[^]*This page reloads in 5 seconds/);
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

test("abandons a frozen primary and doesn't return to it after it recovers", async () => {
  const first = await startPostgres();
  const second = await first.addStandby();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-hosts-"));
  const hosts = [first, second].map(({ url }) => new URL(url).host);
  const database = await openDatabase(`${first.url.replace(hosts[0]!, hosts.join())}?connect_timeout=1`, folder);
  await migrate(database);
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await Promise.all(Array.from({ length: 8 }, () => service.inject("/property/ALP")));
    await waitForReplay(first.url, second.url);
    first.freeze();
    const [frozen, page] = await Promise.all([postXml(service, message(3)), service.inject("/property/ALP")]);
    assert.deepEqual([frozen.statusCode, page.statusCode], [503, 503], "while the primary is frozen");
    second.promote();
    await postMessage(service, message(4));
    first.thaw();
    const queries = Array.from({ length: 8 }, () => sql<{ port: number }>`select inet_server_port() as port`.execute(database.read));
    const ports = (await Promise.all(queries)).map(({ rows }) => rows[0]!.port);
    assert.deepEqual(new Set(ports), new Set([Number(new URL(second.url).port)]));
    const stored = "select count(*) as count from message where outcome = 'ok'";
    assert.deepEqual(await queryOnce(second.url, stored), { count: 1 });
  } finally {
    first.thaw();
    await service.close();
    await database.close();
    second.stop();
    first.stop();
    rmSync(folder, { recursive: true });
  }
});

test("splits a URL with several hosts into one URL for each", () => {
  assert.deepEqual(hostUrls("postgres://u:p,w@one:5432,[::1]:5433,three/db?target_session_attrs=read-write"), [
    "postgres://u:p,w@one:5432/db?target_session_attrs=read-write",
    "postgres://u:p,w@[::1]:5433/db?target_session_attrs=read-write",
    "postgres://u:p,w@three/db?target_session_attrs=read-write",
  ]);
  for (const url of ["postgres://u@one,,two/db", "postgres://u@one:x,two/db", "postgres://one/db?target_session_attrs=standby"])
    assert.equal(hostUrls(url), undefined, url);
});
