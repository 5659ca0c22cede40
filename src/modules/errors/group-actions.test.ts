import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

const JSON_ANSWER = { accept: "application/json" };

/** The group of the newest entry, after an unknown address was asked for. */
async function groupOf(service: TestApp): Promise<{ entry: number; group: string; state: string }> {
  await service.inject("/unknown");
  const { groups } = (await service.inject("/tools/errors?view=groups&state=all&format=json")).json<{
    groups: { id: number; lastId: number; state: string }[];
  }>();
  const { id, lastId, state } = groups[0]!;
  return { entry: lastId, group: String(id), state };
}

eachEngine("A program that changes the state of a group of errors", (open) => {
  test("is told what was done, by the list and by an entry", async () => {
    await using service = await startApp({ database: await open() });
    const { entry, group } = await groupOf(service);
    const visitor = service.visitor();
    await visitor.get("/tools/errors?view=groups");
    const resolved = await visitor.post("/tools/errors?view=groups", { action: "resolve", group: [group, group] }, JSON_ANSWER);
    assert.deepEqual([resolved.statusCode, resolved.json()], [200, { done: "1 group is now resolved." }]);
    await visitor.get(`/tools/errors/${entry}`);
    const reopened = await visitor.post(`/tools/errors/${entry}`, { action: "reopen" }, JSON_ANSWER);
    assert.deepEqual([reopened.statusCode, reopened.json()], [200, { done: "1 group is now open." }]);
  });

  test("is told what is wrong, and nothing is changed", async () => {
    await using service = await startApp({ database: await open() });
    const { group } = await groupOf(service);
    const visitor = service.visitor();
    await visitor.get("/tools/errors?view=groups");
    const none = await visitor.post("/tools/errors?view=groups", { action: "resolve" }, JSON_ANSWER);
    assert.deepEqual([none.statusCode, none.json()], [409, { refused: "Choose at least one group." }]);
    const strange = await visitor.post("/tools/errors?view=groups", { action: "resolve", group: "x" }, JSON_ANSWER);
    assert.equal(strange.statusCode, 409);
    const wrong = await visitor.post("/tools/errors?view=groups", { action: "mute", for: "ever", group }, JSON_ANSWER);
    assert.equal(wrong.statusCode, 422);
    assert.deepEqual(Object.keys(wrong.json<{ errors: object }>().errors), ["for"]);
    assert.equal((await groupOf(service)).state, "open");
  });
});
