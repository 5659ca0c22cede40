import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRule } from "../src/modules/alerts/rule-store.ts";
import { ENGINES, openFresh } from "./support/databases.ts";
import { serve } from "./support/process.ts";
import { countMessage, seedProperties } from "./support/seeded-place.ts";
import { BY_TEST } from "./support/senders.ts";
import { until } from "./support/until.ts";

const DAY_MS = 86_400_000;

type Portfolio = { properties: { nights: { available?: number }[] }[] };
type Alerts = { open: { text: string }[] };

for (const engine of ENGINES) {
  describe(`background work on ${engine}`, () => {
    test("background work summarises the portfolio's nights and checks alert rules", async (t) => {
      const { database, place, remove } = await openFresh(engine);
      t.after(remove);
      await seedProperties(database, 1);
      await database.write
        .updateTable("property")
        .set({ created_at: BY_TEST.at - DAY_MS })
        .execute();
      await createRule(database, { kind: "silent", limit: 1, property: undefined, group: undefined }, BY_TEST);
      await database.close();
      const service = await serve({ DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) });
      const read = async <T>(path: string) => (await fetch(service.origin + path)).json() as Promise<T>;
      const { open } = await until("the alert", async () => {
        const alerts = await read<Alerts>("/tools/alerts?format=json");
        return alerts.open.length > 0 && alerts;
      });
      assert.match(open[0]!.text, /^1 property with no messages accepted for 1 hour: SEED/);
      await fetch(`${service.origin}/channel`, { method: "POST", body: countMessage(0, { days: 0, count: 7 }) });
      await until("the summaries", async () => {
        const { properties } = await read<Portfolio>("/inventories?format=json&days=14");
        return properties[0]!.nights.some(({ available }) => available === 7);
      });
      await service.stop();
    });
  });
}
