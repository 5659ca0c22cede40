import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { RECEIVED_AT, sampleWork, openHotels } from "../../test/support/work.ts";
import type { Database } from "../db/database.ts";
import { findMessage, listMessages, type MessageFilters } from "./messages.ts";
import { receiveMessage } from "./receive.ts";

const HOUR = 3_600_000;

eachEngine("the message log", (open) => {
  test("lists the newest messages first, page by page", async () => {
    const database = await openLog(5);
    const first = await listMessages(database, { limit: 2 });
    const second = await listMessages(database, { limit: 2, before: first.before! });
    const third = await listMessages(database, { limit: 2, before: second.before! });
    const pages = [first, second, third].map(({ messages }) => messages.map(({ summary }) => summary));
    assert.deepEqual(pages, [["number 4", "number 3"], ["number 2", "number 1"], ["number 0"]]);
    assert.equal(third.before, undefined);
  });

  test("finds messages with each filter", async () => {
    const database = await openLog(3);
    const special = {
      property: "H2",
      received: { at: RECEIVED_AT + 30 * HOUR, sender: "other", via: "console", root: "OTA_PingRQ", echoToken: "50%_Off\\" },
      verdict: { outcome: "refused", summary: "Special Öl" },
    } as const;
    await receiveMessage(database, sampleWork([], special));
    const found = async (filters: MessageFilters) => (await listMessages(database, filters)).messages.map(({ summary }) => summary);
    const ordinary = ["number 2", "number 1", "number 0"];
    assert.deepEqual(await found({ property: "H2" }), ["Special Öl"]);
    assert.deepEqual(await found({ root: "OTA_PingRQ" }), ["Special Öl"]);
    assert.deepEqual(await found({ outcome: "refused" }), ["Special Öl"]);
    assert.deepEqual(await found({ outcome: "ok" }), ordinary);
    assert.deepEqual(await found({ sender: "other", via: "console" }), ["Special Öl"]);
    assert.deepEqual(await found({ from: RECEIVED_AT + HOUR }), ["Special Öl", "number 2", "number 1"]);
    assert.deepEqual(await found({ from: RECEIVED_AT + HOUR, to: RECEIVED_AT + 2 * HOUR }), ["number 2", "number 1"]);
    assert.deepEqual(await found({ to: RECEIVED_AT }), ["number 0"]);
    for (const text of ["spec", "OTHER", "pingrq", "50%_o", "off\\", "h2", "Öl", "special Ö"])
      assert.deepEqual(await found({ text }), ["Special Öl"], text);
    assert.deepEqual(await found({ text: "5_%" }), []);
    assert.deepEqual(await found({ text: "a\0b" }), []);
    assert.deepEqual(await found({ text: "number", property: "H1" }), ordinary);
  });

  test("searches the newest messages first if no index applies, then continues with older ones", async () => {
    const database = await openLog(2);
    const [newest] = (await listMessages(database, { limit: 1 })).messages;
    const farRow = {
      ...newest!,
      id: newest!.id + 30_000,
      summary: "farRow away",
      status: 599,
      micros: 0,
      root: "Far",
      outcome: "refused" as const,
    };
    await database.write.insertInto("message").values(farRow).execute();
    for (const wanted of [
      { text: "number" },
      { status: newest!.status },
      { micros: 1 },
      { root: newest!.root! },
      { outcome: "ok" },
    ] as const) {
      const first = await listMessages(database, wanted);
      assert.deepEqual(first.messages, []);
      const second = await listMessages(database, { ...wanted, before: first.before! });
      assert.equal(second.messages.length, 2);
      assert.equal(second.before, undefined);
    }
  });

  test("a search by type covers all messages from a sender or for a property, and no search covers messages before `from`", async () => {
    const database = await openLog(2);
    const [newest] = (await listMessages(database, { limit: 1 })).messages;
    const farRow = {
      ...newest!,
      id: newest!.id + 30_000,
      root: "Far",
      outcome: "refused" as const,
      summary: "farRow away",
      received_at: RECEIVED_AT + 9 * HOUR,
    };
    const earlierRow = { ...farRow, id: farRow.id - 1, received_at: RECEIVED_AT + 3 * HOUR };
    await database.write.insertInto("message").values([earlierRow, farRow]).execute();
    const { root } = newest!;
    for (const whose of [{ property: "H1" }, { sender: "pms" }])
      assert.equal((await listMessages(database, { root: root!, outcome: "ok", ...whose })).messages.length, 2);
    assert.deepEqual(await listMessages(database, { text: "nowhere", from: RECEIVED_AT + 5 * HOUR }), { messages: [], before: undefined });
    const found = await listMessages(database, { text: "number 1", from: RECEIVED_AT + HOUR });
    const { messages } = await listMessages(database, { text: "number 1", from: RECEIVED_AT + HOUR, before: found.before! });
    assert.equal(messages.length, 1);
  });

  test("returns a message with its notes, or undefined if the message does not exist", async () => {
    const database = await openLog(0);
    const notes = {
      errors: [{ type: 3, code: 402, text: "Room type\0" }],
      warnings: [],
      advisories: [],
      ignored: ["InvBlockCode"],
      headers: {},
    };
    const { id } = await receiveMessage(database, sampleWork([], { verdict: { notes } }));
    assert.deepEqual((await findMessage(database, id))?.notes, notes);
    assert.equal(await findMessage(database, id + 1), undefined);
  });

  async function openLog(count: number): Promise<Database> {
    const database = await openHotels(open);
    for (let i = 0; i < count; i++) {
      await receiveMessage(database, sampleWork([], { received: { at: RECEIVED_AT + i * HOUR }, verdict: { summary: `number ${i}` } }));
    }
    return database;
  }
});
