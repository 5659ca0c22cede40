import assert from "node:assert/strict";
import { test } from "node:test";
import { fillDatabase } from "../src/cli/seed/fill.ts";
import { withSortName } from "../src/records/sort-name.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";

const AMOUNTS = { properties: 301, categories: 2, plans: 0, nights: 0, errors: 0, messages: 0 };

const LISTS = [
  { list: "property", records: "properties", keys: ["code"], sorts: ["name", "-name", "code", "-code"] },
  { list: "category", records: "categories", keys: ["hotelCode", "code"], sorts: ["name", "-name", "hotelCode", "-hotelCode"] },
] as const;

eachEngine("a CSV export with several batches", (open) => {
  test("a CSV export with several batches contains each record once, in the list's order", async () => {
    await using service = await startApp({ database: await open() });
    await fillDatabase(service.database, AMOUNTS, { now: service.clock.now(), progress: () => {} });
    await renameSome(service);
    for (const { list, records, keys, sorts } of LISTS) {
      for (const sort of sorts) {
        const exported = await exportKeys(service, `/${list}?format=csv&sort=${sort}`, keys.length);
        assert.deepEqual(exported, await listKeys(service, `/${list}?format=json&size=100&sort=${sort}`, { records, keys }), sort);
        assert.deepEqual(await exportKeys(service, `/${list}?format=csv&sort=${sort}&q=seed`, keys.length), exported, `all found, ${sort}`);
      }
    }
  });
});

async function renameSome({ database }: TestApp): Promise<void> {
  const names = { "%7": "haus am see", "%8": "Haus am See", "%6": "Écrin" };
  for (const [codes, name] of Object.entries(names)) {
    await database.write.updateTable("property").set(withSortName({ name })).where("code", "like", codes).execute();
  }
  await database.write
    .updateTable("category")
    .set(withSortName({ name: "Übersicht" }))
    .where("code", "=", "C02")
    .execute();
}

async function exportKeys(service: TestApp, url: string, columns: number): Promise<string[]> {
  const { body } = await service.inject(url);
  const [, ...lines] = body.trimEnd().split("\r\n");
  return lines.map((line) => line.split(",", columns).join("/"));
}

type Keyed = { records: string; keys: readonly string[] };

async function listKeys(service: TestApp, url: string, { records, keys }: Keyed): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const listed = (await service.inject(`${url}&page=${page}`)).json()[records] as Record<string, string>[];
    if (listed.length === 0) return found;
    found.push(...listed.map((record) => keys.map((key) => record[key]).join("/")));
  }
}
