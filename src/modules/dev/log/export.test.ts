import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { START, startApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage } from "../../../../test/support/hotel.ts";
import { fillDatabase } from "../../../cli/seed/fill.ts";

const NOTHING = { properties: 0, categories: 1, plans: 0, nights: 0, errors: 0, messages: 0 };

/** A text search runs in steps of 20,000 ids. */
const IDS = 1_000_000;
const STEPS = IDS / 20_000;

eachEngine("the message export", (open) => {
  test("lets other requests run between the steps of an export", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: 'Start="2026-11-20" End="2026-11-20" InvTypeCode="DBL"', counts: [[2, 7]] }));
    await service.database.reserve(IDS);
    await postMessage(service, countMessage({ control: 'Start="2026-11-20" End="2026-11-20" InvTypeCode="DBL"', counts: [[2, 6]] }));
    let answered = false;
    const answer = service.inject("/dev/logs?format=json&q=available+7").finally(() => (answered = true));
    let turns = 0;
    for (; !answered; await nextTurn()) turns++;
    assert.deepEqual((await answer).json<{ messages: { summary: string }[] }>().messages.length, 1);
    assert.ok(turns >= STEPS, `${turns} turns of the event loop for ${STEPS} steps`);
  });

  test("a message export stops after 10,000 messages and returns the id to continue from", async () => {
    await using service = await startApp({ database: await open() });
    const fillMessages = (messages: number) => fillDatabase(service.database, { ...NOTHING, messages }, { now: START, progress: () => {} });
    await fillMessages(10_100);
    await service.database.reserve(20_000);
    await fillMessages(300);
    type Page = { messages: unknown[]; next: number | null };
    const ask = async (more = "") => (await service.inject(`/dev/logs?format=json&q=seed-${more}`)).json<Page>();
    const { messages, next } = await ask();
    assert.equal(messages.length, 10_000);
    const rest = await ask(`&before=${next}`);
    assert.deepEqual([rest.messages.length, rest.next], [400, null]);
    const csv = (await service.inject("/dev/logs?format=csv&q=seed-")).body;
    assert.equal(csv.trimEnd().split("\r\n").length, 1 + 10_000);
    assert.match((await service.inject("/dev/logs")).body, /Exports contain up to 10,000 messages\./);
  });
});
