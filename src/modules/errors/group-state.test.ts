import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { changeAllGroups, createEntry, createErrors, type Group, listGroups, sendReport } from "../../../test/support/error-groups.ts";

const HOUR_MS = 3_600_000;
const JSON_ANSWER = { accept: "application/json" };

eachEngine("the state of a group", (open) => {
  test("a group's state can be changed, and the page shows who changed it", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    const id = await createEntry(service);
    const url = `/tools/errors/${id}`;
    await visitor.get(url);
    for (const [action, state, flash] of [
      ["resolve", "resolved", "1 group is now resolved."],
      ["resolve", "resolved", "1 group is now resolved."],
      ["reopen", "open", "1 group is now open."],
      ["mute", "muted", "1 group is now muted for 1 week."],
    ] as const) {
      const answer = await visitor.post(url, { action, for: "week" });
      assert.deepEqual([answer.statusCode, answer.headers.location], [303, url], action);
      const { body } = await visitor.get(url);
      assert.ok(body.includes(flash), flash);
      assert.match(body, new RegExp(`<h2 id="group">Group</h2>[^]*<dd><span class="badge[^"]*">${state}</span>`));
    }
    const { inGroup } = (await service.inject(`${url}?format=json`)).json<{
      inGroup: Group & { changes: { state: string; actor: string }[] };
    }>();
    assert.equal(inGroup.mutedUntil, new Date(START + 7 * 24 * HOUR_MS).toISOString());
    assert.deepEqual(
      inGroup.changes.map(({ state, actor }) => [state, actor]),
      [
        ["muted for 1 week", "open"],
        ["open", "open"],
        ["resolved", "open"],
      ],
      "an unchanged state adds no history",
    );
    assert.match((await visitor.get(url)).body, /State history[^]*by anonymous \(open access\): muted for 1 week/);
  });

  test("the state of a group is changed only with a form token and a valid action", async () => {
    await using service = await startApp({ database: await open() });
    const id = await createEntry(service);
    const visitor = service.visitor();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await visitor.send(`/tools/errors/${id}`, "action=resolve", headers)).statusCode, 403);
    assert.equal((await visitor.post(`/tools/errors/${id}`, { action: "explode" })).statusCode, 200);
    assert.equal((await listGroups(service, "&state=open&class=NotFoundException")).groups.length, 1);
  });

  test("the states of several selected groups can be changed together", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    const visitor = service.visitor();
    const { body } = await visitor.get("/tools/errors?view=groups&sort=count");
    const ids = [...body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
    const answer = await visitor.post("/tools/errors?view=groups&sort=count", { action: "resolve", group: ids });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/tools/errors?view=groups&sort=count"]);
    assert.match((await visitor.get("/tools/errors?view=groups")).body, /2 groups are now resolved\.[^]*No open groups/);
    assert.equal((await listGroups(service, "&state=resolved")).groups.length, 2);
    const none = await visitor.post("/tools/errors?view=groups", { action: "resolve", group: ["1", "x"] });
    assert.deepEqual([none.statusCode, none.body.includes("Select at least one group.")], [409, true]);
  });

  test("the state of a group is not changed, and an error is shown, if no group or duration is chosen", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    const visitor = service.visitor();
    await visitor.get("/tools/errors?view=groups");
    const none = await visitor.post("/tools/errors", { action: "resolve" });
    assert.deepEqual([none.statusCode, none.body.includes("Select at least one group.")], [409, true]);
    const incomplete = await visitor.post("/tools/errors", { action: "mute" });
    assert.deepEqual([incomplete.statusCode, incomplete.body.includes("Choose 1 day")], [422, true]);
  });

  test("the state of a group is not changed by invalid input, which is kept with the error beside its field", async () => {
    await using service = await startApp({ database: await open() });
    const url = `/tools/errors/${await createEntry(service)}`;
    const visitor = service.visitor();
    for (const [fields, fault] of [
      [{ for: "louder", above: "many" }, "Enter a whole number from 1 to 1,000,000"],
      [{ for: "louder", above: "1000001" }, "Enter a whole number from 1 to 1,000,000"],
      [{ for: "ever" }, "Choose 1 day, 1 week, 3 months or an hourly limit"],
    ] as const) {
      const { statusCode, body } = await visitor.post(url, { action: "mute", ...fields });
      assert.equal(statusCode, 422);
      assert.equal(body.split(fault).length, 3, "in the summary and beside the field");
      if ("above" in fields) assert.ok(body.includes(`value="${fields.above}"`));
    }
    assert.equal((await listGroups(service, "&state=muted")).groups.length, 0);
  });

  test("a resolved error group reopens as regressed when the error occurs again", async () => {
    await using service = await startApp({ database: await open() });
    await changeAllGroups(service, { action: "resolve" });
    service.clock.set(START + HOUR_MS);
    await service.inject("/again");
    const [group] = (await listGroups(service)).groups;
    assert.deepEqual(
      [group!.state, group!.why, group!.since, group!.count],
      ["open", "regressed", new Date(START + HOUR_MS).toISOString(), 2],
    );
    assert.match((await service.inject("/tools/errors?view=groups")).body, /open<\/span>\s*regressed <span class="nowrap"><time/);
    assert.match((await service.inject("/tools/errors?view=groups&format=csv")).body, /,open regressed 2026-11-20 /);
  });

  test("an error group stays resolved if an older error is stored later", async () => {
    await using service = await startApp({ database: await open() });
    service.clock.set(START + HOUR_MS);
    await changeAllGroups(service, { action: "resolve" });
    const headers = { "content-type": "application/reports+json" };
    const body = { effectiveDirective: "img-src", documentURL: "https://h.example/", blockedURL: "https://x.example/" };
    const payload = (age: number) => JSON.stringify([{ type: "csp-violation", age, url: "https://h.example/", body }]);
    const send = (age: number) => service.inject({ method: "POST", url: "/_errors/csp", headers, payload: payload(age) });
    await send(0);
    await changeAllGroups(service, { action: "resolve" });
    service.clock.set(START + HOUR_MS + 1_000);
    await send(5_000);
    assert.equal((await listGroups(service)).groups.length, 0);
    await send(500);
    assert.equal((await listGroups(service)).groups.length, 1);
  });

  test("an error group stays muted for the selected time while its entries are recorded and counted", async () => {
    await using service = await startApp({ database: await open() });
    await changeAllGroups(service, { action: "mute", for: "day" });
    service.clock.set(START + 23 * HOUR_MS);
    await service.inject("/meanwhile");
    const [muted] = (await listGroups(service, "&state=muted")).groups;
    assert.deepEqual([muted!.state, muted!.count], ["muted", 2]);
    assert.equal((await listGroups(service)).groups.length, 0);
    service.clock.set(START + 24 * HOUR_MS);
    const [group] = (await listGroups(service)).groups;
    assert.deepEqual([group!.state, group!.why, group!.since], ["open", "expired", new Date(START + 24 * HOUR_MS).toISOString()]);
  });

  test("an error group stays muted until the end of the most recent mute", async () => {
    await using service = await startApp({ database: await open() });
    await changeAllGroups(service, { action: "mute", for: "day" });
    await changeAllGroups(service, { action: "mute", for: "week" });
    const [muted] = (await listGroups(service, "&state=muted")).groups;
    assert.equal(muted!.mutedUntil, new Date(START + 7 * 24 * HOUR_MS).toISOString());
  });

  test("the state of a group can be read even if the expiry of a mute cannot be stored", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await changeAllGroups(service, { action: "mute", for: "day" });
    service.clock.set(START + 24 * HOUR_MS);
    await sql`alter table error_group rename column mute_base to mute_base_broken`.execute(database.write);
    assert.equal((await listGroups(service, "&state=muted")).groups.length, 1);
    assert.equal((await service.inject("/tools/errors?view=groups")).statusCode, 200);
    assert.equal((await service.inject("/tools/errors")).statusCode, 200);
  });

  test("an error group stays muted until an hourly limit is exceeded, not counting entries before the mute", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < 9; index++) await service.inject(`/before/${index}`);
    await changeAllGroups(service, { action: "mute", for: "louder", above: "3" });
    const errorsInHour = async (hours: number, times: number) => {
      service.clock.set(START + hours * HOUR_MS + 1);
      for (let index = 0; index < times; index++) await service.inject(`/after/${index}`);
      await service.errors.flush();
      return (await listGroups(service, "&state=all")).groups[0]!;
    };
    assert.equal((await errorsInHour(0, 3)).state, "muted");
    assert.equal((await errorsInHour(1, 3)).state, "muted");
    assert.equal((await errorsInHour(2, 2)).state, "muted");
    const group = await errorsInHour(2, 2);
    assert.deepEqual([group.state, group.why, group.count], ["open", "louder", 9 + 1 + 3 + 3 + 2 + 2]);
  });

  test("the error list and its exports can be filtered by group state", async () => {
    await using service = await startApp({ database: await open() });
    await changeAllGroups(service, { action: "mute", for: "quarter" });
    await sendReport(service, { class: "RangeError", message: "open one" });
    const classes = async (state: string) => {
      const { errors } = (await service.inject(`/tools/errors?format=json&state=${state}`)).json<{ errors: { class: string }[] }>();
      return errors.map((entry) => entry.class);
    };
    const both = ["RangeError", "NotFoundException"];
    assert.deepEqual(await Promise.all(["open", "Muted", "resolved", "all", ""].map(classes)), [
      ["RangeError"],
      ["NotFoundException"],
      [],
      both,
      both,
    ]);
    const csv = await service.inject("/tools/errors?format=csv&state=muted");
    assert.equal(csv.body.trimEnd().split("\r\n").length, 2);
    assert.equal(csv.body.replace("\ufeff", "").split("\r\n")[0], "Date,Class,Message,Source,Caught,Status,Id");
    assert.match((await service.inject("/tools/errors?state=closed")).body, /Choose a state: open, resolved, muted, all/);
  });
});

eachEngine("changing a group with JSON", (open) => {
  test("changing a group's state returns the result as JSON, both in the list and on an entry's page", async () => {
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

  test("an invalid change to a group's state returns the error as JSON and changes nothing", async () => {
    await using service = await startApp({ database: await open() });
    const { group } = await groupOf(service);
    const visitor = service.visitor();
    await visitor.get("/tools/errors?view=groups");
    const none = await visitor.post("/tools/errors?view=groups", { action: "resolve" }, JSON_ANSWER);
    assert.deepEqual([none.statusCode, none.json()], [409, { refused: "Select at least one group." }]);
    const invalid = await visitor.post("/tools/errors?view=groups", { action: "resolve", group: "x" }, JSON_ANSWER);
    assert.equal(invalid.statusCode, 409);
    const wrong = await visitor.post("/tools/errors?view=groups", { action: "mute", for: "ever", group }, JSON_ANSWER);
    assert.equal(wrong.statusCode, 422);
    assert.deepEqual(Object.keys(wrong.json<{ errors: object }>().errors), ["for"]);
    assert.equal((await groupOf(service)).state, "open");
  });
});

/** Requests an unknown address. Returns its group. */
async function groupOf(service: TestApp): Promise<{ entry: number; group: string; state: string }> {
  await service.inject("/unknown");
  const { groups } = (await service.inject("/tools/errors?view=groups&state=all&format=json")).json<{
    groups: { id: number; lastId: number; state: string }[];
  }>();
  const { id, lastId, state } = groups[0]!;
  return { entry: lastId, group: String(id), state };
}
