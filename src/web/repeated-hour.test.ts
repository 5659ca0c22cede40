import assert from "node:assert/strict";
import { test } from "node:test";

process.env.TZ = "Europe/Berlin";
const { startApp } = await import("../../test/support/app.ts");
const { makeProperty } = await import("../../test/support/hotel.ts");

/** 02:30:10 on the server's clock, which occurs twice. */
const SUMMER = Date.UTC(2026, 9, 25, 0, 30, 10);
const WINTER = SUMMER + 3_600_000;

test("finds both occurrences of an hour when clocks go back", async () => {
  await using service = await startApp({ now: SUMMER });
  await service.inject("/summer");
  service.clock.set(WINTER);
  await service.inject("/winter");
  const found = async (from: string, to: string) => {
    const answer = await service.inject(`/tools/errors?format=json&from=2026-10-25T${from}&to=2026-10-25T${to}`);
    return answer.json<{ errors: { message: string }[] }>().errors.map(({ message }) => /winter|summer/.exec(message)?.[0]);
  };
  assert.deepEqual(await found("02:00", "02:59"), ["winter", "summer"]);
  assert.deepEqual(await found("02:30:10", "02:30:10"), ["winter", "summer"]);
  assert.deepEqual(await found("01:00", "01:59"), []);
  assert.deepEqual(await found("03:00", "03:59"), []);
});

test("keeps the chosen occurrence of the hour when a grid's form is submitted again", async () => {
  await using service = await startApp({ now: WINTER + 86_400_000 });
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  for (const asOf of [SUMMER, WINTER].map((at) => new Date(at).toISOString())) {
    const { body } = await service.inject(`/inventories?property=ALP&asOf=${asOf}`);
    const [, shown] = /name="asOf"[^>]* value="([^"]+)"/.exec(body)!;
    const again = (await service.inject(`/inventories?property=ALP&asOf=${encodeURIComponent(shown!)}`)).body;
    assert.ok(again.includes(`datetime="${asOf.replace(".000Z", "Z")}"`), `${asOf} is shown as ${shown}`);
  }
});
