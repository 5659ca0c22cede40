import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

const HOUR_MS = 3_600_000;

type Group = {
  id: number;
  count: number;
  class: string;
  message: string;
  source: string;
  firstAt: string;
  lastAt: string;
  lastId: number;
  state: string;
  why: string;
  since: string;
  mutedUntil: string | null;
  hours: number[];
};
type Groups = { groups: Group[]; next: string | null; ungrouped: boolean };

eachEngine("the error log in groups", (open) => {
  test("has one row for what differs in names and numbers alone, with how often and when it came", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const { groups, next } = await groupsAt(service);
    assert.equal(next, null);
    assert.deepEqual(
      groups.map((group) => [group.count, group.class, group.source, group.message, group.state]),
      [
        [2, "RangeError", "js", "Room 8 of 120 is <b>gone</b>", "open"],
        [3, "NotFoundException", "php", "Route 'GET /c1f0a2b3' not found", "open"],
      ],
    );
    assert.deepEqual(
      [groups[1]!.firstAt, groups[1]!.lastAt],
      [START, START + 2000].map((at) => new Date(at).toISOString()),
    );
    assert.deepEqual(groups[1]!.hours, [...Array.from({ length: 23 }, () => 0), 3]);
    const { message } = (await service.inject(`/tools/errors/${groups[0]!.lastId}?format=json`)).json<{ message: string }>();
    assert.equal(message, groups[0]!.message);
  });

  test("stands by the last time or by how often, and keeps its filters", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    assert.deepEqual(
      (await groupsAt(service, "&sort=count")).groups.map(({ count }) => count),
      [3, 2],
    );
    assert.deepEqual(
      (await groupsAt(service, "&source=js&sort=nonsense")).groups.map(({ count }) => count),
      [2],
    );
    for (const [query, counts] of [
      ["q=ROUTE", [3]],
      ["class=RangeError", [2]],
      ["status=404", [3]],
      ["caught=yes", []],
      ["to=2026-11-20T09:00:02Z", [3]],
      ["from=2026-11-20T09:00:03Z", [2]],
    ] as const)
      assert.deepEqual(
        (await groupsAt(service, `&${query}`)).groups.map(({ count }) => count),
        counts,
        query,
      );
    const { body } = await service.inject("/tools/errors?view=groups&source=js");
    assert.match(body, /<h1>Errors in groups<\/h1>/);
    assert.match(body, /Room 8 of 120 is &lt;b&gt;gone/);
    assert.doesNotMatch(body, /Route &#39;GET/);
    assert.match(body, /<input type="hidden" name="view" value="groups" \/>/);
    assert.match(body, /href="\/tools\/errors\?source=js&amp;view=groups&amp;sort=count">Most often first/);
    assert.match(body, /href="\/tools\/errors\?source=js&amp;state=open">Every entry/);
    assert.match(body, /aria-current="true">open<[^]*aria-current="true">Last seen first</);
    const muted = await service.inject("/tools/errors?view=groups&sort=count&state=muted");
    assert.match(muted.body, /aria-current="true">muted<[^]*aria-current="true">Most often first</);
    assert.match(body, /<title>Last 24 hours: 2, at most 2 in an hour<\/title>/);
    const csv = await service.inject("/tools/errors?view=groups&format=csv");
    assert.equal(csv.body.trimEnd().split("\r\n").length, 3);
  });

  test("leads from how often a group came to its entries alone", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const [, link = ""] = /<td class="number"[^>]*><a href="([^"]+)">2<\/a>/.exec(
      (await service.inject("/tools/errors?view=groups")).body,
    )!;
    const { errors } = (await service.inject(`${link}&format=json`)).json<{ errors: { class: string }[] }>();
    assert.deepEqual(
      errors.map((entry) => entry.class),
      ["RangeError", "RangeError"],
    );
    assert.equal((await service.inject("/tools/errors?group=x")).statusCode, 422);
  });

  test("goes on after the last group of a page, in either order", async () => {
    await using service = await startApp({ database: await open() });
    for (let kind = 0; kind < 60; kind++) {
      service.clock.set(START + kind);
      for (let time = 0; time <= kind % 3; time++) await report(service, { class: `Kind${kind}`, message: "x" });
    }
    for (const sort of ["last", "count"]) {
      const seen: string[] = [];
      for (let after: string | null = ""; after !== null;) {
        const { groups, next } = await groupsAt(service, `&size=25&sort=${sort}&after=${after}`);
        seen.push(...groups.map((group) => `${sort === "count" ? group.count : ""} ${group.class}`));
        after = next;
      }
      assert.equal(new Set(seen).size, 60, sort);
      if (sort === "count")
        assert.deepEqual(
          seen.map((one) => one[0]),
          seen
            .map((one) => one[0])
            .toSorted()
            .toReversed(),
        );
    }
    const { body } = await service.inject("/tools/errors?view=groups&size=25");
    const [, more = ""] = /href="([^"]+)" rel="next"/.exec(body)!;
    assert.match((await service.inject(more.replaceAll("&amp;", "&"))).body, /Kind34/);
    const csv = await service.inject("/tools/errors?view=groups&format=csv&sort=count");
    assert.equal(csv.body.trimEnd().split("\r\n").length, 61);
    const rest = await service.inject(`${more.replaceAll("&amp;", "&")}&format=csv`);
    assert.equal(rest.body.trimEnd().split("\r\n").length, 36);
  });

  test("keeps words that run from right to left apart, as the list does", async () => {
    await using service = await startApp({ database: await open() });
    await report(service, { message: "no room תוכנית-12, sorry" });
    for (const view of ["list", "groups"])
      assert.match((await service.inject(`/tools/errors?view=${view}`)).body, /no room <bdi>תוכנית-12<\/bdi>, sorry/, view);
  });

  test("is another view, to which the list leads", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const { body } = await service.inject("/tools/errors?class=RangeError");
    assert.match(body, /href="\/tools\/errors\?class=RangeError&amp;view=groups">In groups/);
    assert.match((await service.inject("/tools/errors?view=groups&q=nothing")).body, /No group matches/);
    assert.match((await service.inject("/tools/errors?view=groups&state=muted")).body, /No group is muted/);
    for (const query of ["source=cobol", "state=closed"])
      assert.equal((await service.inject(`/tools/errors?view=groups&format=json&${query}`)).statusCode, 422, query);
  });

  test("says so while older entries are still to be put into groups", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await fill(service);
    await service.errors.flush();
    await database.write.updateTable("error_entry").set({ group_id: null }).where("source", "=", "js").execute();
    assert.match((await service.inject("/tools/errors?view=groups")).body, /Older entries are still being put into groups/);
    assert.equal((await groupsAt(service)).ungrouped, true);
  });
});

eachEngine("the state of a group", (open) => {
  test("is changed by who looks after it, and told with who and when", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    const id = await entryOf(service);
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
      "what changes nothing is no change",
    );
    assert.match((await visitor.get(url)).body, /Who changed the state[^]*with open access: muted for 1 week/);
  });

  test("is changed only with the form token, and by no action that is unknown", async () => {
    await using service = await startApp({ database: await open() });
    const id = await entryOf(service);
    const visitor = service.visitor();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await visitor.send(`/tools/errors/${id}`, "action=resolve", headers)).statusCode, 403);
    assert.equal((await visitor.post(`/tools/errors/${id}`, { action: "explode" })).statusCode, 200);
    assert.equal((await groupsAt(service, "&state=open&class=NotFoundException")).groups.length, 1);
  });

  test("is changed of several groups of the list at once", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const visitor = service.visitor();
    const { body } = await visitor.get("/tools/errors?view=groups&sort=count");
    const ids = [...body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
    const answer = await visitor.post("/tools/errors?view=groups&sort=count", { action: "resolve", group: ids });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/tools/errors?view=groups&sort=count"]);
    assert.match((await visitor.get("/tools/errors?view=groups")).body, /2 groups are now resolved\.[^]*No group is open/);
    assert.equal((await groupsAt(service, "&state=resolved")).groups.length, 2);
    const none = await visitor.post("/tools/errors?view=groups", { action: "resolve", group: ["1", "x"] });
    assert.deepEqual([none.statusCode, none.body.includes("Choose at least one group.")], [409, true]);
  });

  test("is not changed unsaid by a form that is sent to the list of entries", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const visitor = service.visitor();
    await visitor.get("/tools/errors?view=groups");
    const none = await visitor.post("/tools/errors", { action: "resolve" });
    assert.deepEqual([none.statusCode, none.body.includes("Choose at least one group.")], [409, true]);
    const unclear = await visitor.post("/tools/errors", { action: "mute" });
    assert.deepEqual([unclear.statusCode, unclear.body.includes("Choose for how long")], [422, true]);
  });

  test("is not changed by a form that says nothing clear: the fault stands beside its field, and what was typed stays", async () => {
    await using service = await startApp({ database: await open() });
    const url = `/tools/errors/${await entryOf(service)}`;
    const visitor = service.visitor();
    for (const [fields, fault] of [
      [{ for: "louder", above: "many" }, "Enter how many an hour: a whole number from 1 to 1,000,000"],
      [{ for: "louder", above: "1000001" }, "Enter how many an hour: a whole number from 1 to 1,000,000"],
      [{ for: "ever" }, "Choose for how long: 1 day, 1 week, 3 months, or until more come"],
    ] as const) {
      const { statusCode, body } = await visitor.post(url, { action: "mute", ...fields });
      assert.equal(statusCode, 422);
      assert.equal(body.split(fault).length, 3, "in the summary and beside the field");
      if ("above" in fields) assert.ok(body.includes(`value="${fields.above}"`));
    }
    assert.equal((await groupsAt(service, "&state=muted")).groups.length, 0);
  });

  test("goes from resolved to open when the error comes again, and says that it regressed", async () => {
    await using service = await startApp({ database: await open() });
    await change(service, { action: "resolve" });
    service.clock.set(START + HOUR_MS);
    await service.inject("/again");
    const [group] = (await groupsAt(service)).groups;
    assert.deepEqual(
      [group!.state, group!.why, group!.since, group!.count],
      ["open", "regressed", new Date(START + HOUR_MS).toISOString(), 2],
    );
    assert.match((await service.inject("/tools/errors?view=groups")).body, /open<\/span>\s*regressed <span class="nowrap"><time/);
    assert.match((await service.inject("/tools/errors?view=groups&format=csv")).body, /,open regressed 2026-11-20 /);
  });

  test("stays resolved when what is stored came before", async () => {
    await using service = await startApp({ database: await open() });
    service.clock.set(START + HOUR_MS);
    await change(service, { action: "resolve" });
    const headers = { "content-type": "application/reports+json" };
    const body = { effectiveDirective: "img-src", documentURL: "https://h.example/", blockedURL: "https://x.example/" };
    const payload = (age: number) => JSON.stringify([{ type: "csp-violation", age, url: "https://h.example/", body }]);
    const send = (age: number) => service.inject({ method: "POST", url: "/_errors/csp", headers, payload: payload(age) });
    await send(0);
    await change(service, { action: "resolve" });
    service.clock.set(START + HOUR_MS + 1_000);
    await send(5_000);
    assert.equal((await groupsAt(service)).groups.length, 0);
    await send(500);
    assert.equal((await groupsAt(service)).groups.length, 1);
  });

  test("is muted until its time is over, while every entry is recorded and counted", async () => {
    await using service = await startApp({ database: await open() });
    await change(service, { action: "mute", for: "day" });
    service.clock.set(START + 23 * HOUR_MS);
    await service.inject("/meanwhile");
    const [muted] = (await groupsAt(service, "&state=muted")).groups;
    assert.deepEqual([muted!.state, muted!.count], ["muted", 2]);
    assert.equal((await groupsAt(service)).groups.length, 0);
    service.clock.set(START + 24 * HOUR_MS);
    const [group] = (await groupsAt(service)).groups;
    assert.deepEqual([group!.state, group!.why, group!.since], ["open", "expired", new Date(START + 24 * HOUR_MS).toISOString()]);
  });

  test("is muted anew for as long as was said last", async () => {
    await using service = await startApp({ database: await open() });
    await change(service, { action: "mute", for: "day" });
    await change(service, { action: "mute", for: "week" });
    const [muted] = (await groupsAt(service, "&state=muted")).groups;
    assert.equal(muted!.mutedUntil, new Date(START + 7 * 24 * HOUR_MS).toISOString());
  });

  test("is read while the end of a mute cannot be stored", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await change(service, { action: "mute", for: "day" });
    service.clock.set(START + 24 * HOUR_MS);
    await sql`alter table error_group rename column mute_base to mute_base_away`.execute(database.write);
    assert.equal((await groupsAt(service, "&state=muted")).groups.length, 1);
    assert.equal((await service.inject("/tools/errors?view=groups")).statusCode, 200);
    assert.equal((await service.inject("/tools/errors")).statusCode, 200);
  });

  test("is muted until more than so many come in an hour, those before the mute aside", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < 9; index++) await service.inject(`/before/${index}`);
    await change(service, { action: "mute", for: "louder", above: "3" });
    const come = async (hours: number, times: number) => {
      service.clock.set(START + hours * HOUR_MS + 1);
      for (let index = 0; index < times; index++) await service.inject(`/after/${index}`);
      await service.errors.flush();
      return (await groupsAt(service, "&state=all")).groups[0]!;
    };
    assert.equal((await come(0, 3)).state, "muted");
    assert.equal((await come(1, 3)).state, "muted");
    assert.equal((await come(2, 2)).state, "muted");
    const group = await come(2, 2);
    assert.deepEqual([group.state, group.why, group.count], ["open", "louder", 9 + 1 + 3 + 3 + 2 + 2]);
  });

  test("narrows the flat list and what is exported of it", async () => {
    await using service = await startApp({ database: await open() });
    await change(service, { action: "mute", for: "quarter" });
    await report(service, { class: "RangeError", message: "open one" });
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

eachEngine("how many groups are open", (open) => {
  test("is told by the home page and the card of the tools", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const told = async () => {
      const home = /href="\/tools\/errors\?view=groups">(\d+ open groups?)</.exec((await service.inject("/")).body)?.[1];
      const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
      return [home, cards.find(({ slug }) => slug === "errors")?.status];
    };
    await groupsAt(service);
    assert.deepEqual(await told(), ["2 open groups", "2 open groups, 5 in the last 24 hours"]);
    await change(service, { action: "resolve" });
    await report(service, { message: "another" });
    await groupsAt(service);
    assert.deepEqual(await told(), ["1 open group", "1 open group, 7 in the last 24 hours"]);
  });
});

/** Three unknown addresses, then a report that stands below them, then the same with another number. */
async function fill(service: TestApp): Promise<void> {
  for (const [index, name] of ["a", "b", "c1f0a2b3"].entries()) {
    service.clock.set(START + index * 1000);
    await service.inject(`/${name}`);
  }
  for (const message of ["Room 7 of 12 is <b>gone</b>", "Room 8 of 120 is <b>gone</b>"]) {
    service.clock.set(service.clock.now() + 1000);
    await report(service, { message, class: "RangeError" });
  }
}

async function report(service: TestApp, fields: { message: string; class?: string }): Promise<void> {
  const headers = { "content-type": "application/json" };
  await service.inject({ method: "POST", url: "/_errors/log", headers, payload: JSON.stringify(fields) });
}

async function groupsAt(service: TestApp, query = ""): Promise<Groups> {
  return (await service.inject(`/tools/errors?view=groups&format=json${query}`)).json<Groups>();
}

/** An unknown address is asked for; answers the id of its entry. */
async function entryOf(service: TestApp): Promise<number> {
  await service.inject("/unknown");
  return (await service.inject("/tools/errors?format=json")).json<{ errors: { id: number }[] }>().errors[0]!.id;
}

/** Does this with every group, after an unknown address was asked for. */
async function change(service: TestApp, fields: Record<string, string>): Promise<void> {
  await entryOf(service);
  const visitor = service.visitor();
  const { body } = await visitor.get("/tools/errors?view=groups&state=all");
  const group = [...body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
  assert.equal((await visitor.post("/tools/errors?view=groups", { ...fields, group })).statusCode, 303);
}
