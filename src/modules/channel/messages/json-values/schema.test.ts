import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { startApp } from "../../../../../test/support/app.ts";
import { day } from "../../../../../test/support/channel.ts";
import { examples } from "./examples.ts";
import { valuesSchema } from "./schema.ts";

const CODES = { hotel: "ALP", category: "DBL", plan: "BAR", currency: "EUR", day };

async function isValid(body: string): Promise<boolean> {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, strictTypes: false } } });
  const schema = { ...valuesSchema(), $schema: undefined };
  app.post("/", { schema: { body: schema } }, () => "valid");
  const { statusCode } = await app.inject({ method: "POST", url: "/", headers: { "content-type": "application/json" }, payload: body });
  await app.close();
  return statusCode === 200;
}

test("publishes a schema that accepts and refuses the same examples as the reader", async () => {
  for (const { name, xml } of examples) assert.equal(await isValid(xml(CODES)), name !== "json-fraction", name);
});

test("publishes a schema that refuses the invalid values that the reader refuses", async () => {
  const good = { property_id: "ALP", room_type_id: "DBL", date: day(1) };
  const bad = [
    { room_type_id: undefined },
    { availability: -1 },
    { availability: "3" },
    { stop_sell: "yes" },
    { days: ["monday"] },
    { days: [] },
    { date_from: day(1), date_to: day(2) },
    { rates: [{ occupancy: 0, rate: "1" }] },
    { rates: [{ occupancy: 1 }] },
    { rate: "1,5" },
    { max_stay: 1000 },
  ];
  assert.ok(await isValid(JSON.stringify({ values: [{ ...good, availability: 3 }] })));
  for (const part of bad) {
    const body = JSON.stringify({ values: [{ ...good, ...part }] });
    assert.equal(await isValid(body), false, body);
  }
});

test("serves the schema without credentials and refuses messages posted to its URL", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: "a long administrator secret" } });
  const answer = await service.inject("/channel/schema.json");
  assert.deepEqual([answer.statusCode, answer.json()], [200, valuesSchema()]);
  const url = "/channel/schema.json";
  assert.equal(
    (await service.inject({ method: "POST", url, headers: { "content-type": "application/json" }, payload: "{}" })).statusCode,
    404,
  );
});
