import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { textOf } from "../../../test/support/hotel.ts";
import { fillDatabase } from "./fill.ts";

const AMOUNTS = { properties: 2, categories: 2, plans: 1, nights: 40, errors: 3, messages: 3 };

eachEngine("sample data", (open) => {
  test("sample data includes a value and a source message for every night", async () => {
    await using service = await startApp({ database: await open() });
    const progress: string[] = [];
    await fillDatabase(service.database, AMOUNTS, {
      now: service.clock.now(),
      progress: (label, done, total) => progress.push(`${label} ${done} of ${total}`),
    });
    assert.deepEqual(progress, ["properties 2 of 2", "errors 3 of 3", "messages 3 of 3"]);
    for (const [grid, plan] of [
      ["inventories", ""],
      ["rates", "&plan=BAR"],
    ]) {
      const night = await service.inject(`/${grid}?property=SEED00002&category=C02${plan}&night=2026-11-25`);
      const [, message = ""] = /href="([^"]+)">message \d/.exec(night.body) ?? [];
      const entry = await service.inject(message);
      assert.equal(entry.statusCode, 200, message);
      assert.match(textOf(entry), /sample data/);
      assert.doesNotMatch(textOf(entry), /SEED0000/, "the message belongs to no property");
    }
  });

  test("sample data includes errors for refused messages, and the time of each property's last message", async () => {
    await using service = await startApp({ database: await open() });
    const now = service.clock.now();
    await fillDatabase(service.database, AMOUNTS, { now, progress: () => undefined });
    const { messages } = (await service.inject("/dev/logs?outcome=refused&format=json")).json<{
      messages: { id: number; summary: string }[];
    }>();
    assert.deepEqual(
      messages.map(({ summary }) => summary),
      ["Required field missing: Inventory"],
    );
    const entry = textOf(await service.inject(`/dev/logs/${messages[0]!.id}`));
    assert.match(entry, /Errors Required field missing: Inventory \( type 10, code 321 \) Changes No nights changed\./);
    const { lastMessageAt } = (await service.inject("/property/SEED00002?format=json")).json<{ lastMessageAt: string }>();
    assert.equal(lastMessageAt, new Date(now).toISOString());
  });

  test("sample data includes messages whose requests match their log entries", async () => {
    await using service = await startApp({ database: await open() });
    await fillDatabase(service.database, { ...AMOUNTS, nights: 0 }, { now: service.clock.now(), progress: () => undefined });
    const { messages } = (await service.inject("/dev/logs?format=json")).json<{ messages: { id: number; summary: string }[] }>();
    const [newest] = messages;
    const page = textOf(await service.inject(`/dev/logs/${newest!.id}`));
    assert.equal(newest!.summary, "C01: available 2");
    assert.match(page, /HotelCode="SEED00001".*InvTypeCode="C01".*CountType="2" Count="2"/);
    assert.doesNotMatch(textOf(await service.inject(`/dev/logs/${newest!.id}?compare=previous`)), /Both requests are equal/);
  });
});
