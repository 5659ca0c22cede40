import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { changeAllGroups, createErrors, listGroups, sendReport } from "../../../test/support/error-groups.ts";

const GROUPS = "/tools/errors?view=groups&sort=count";

eachEngine("the error groups", (open) => {
  test("error groups combine messages that differ only in names and numbers, and show counts and times", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    const { groups, next } = await listGroups(service);
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

  test("the error groups are sorted by time or count and keep their filters", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    assert.deepEqual(
      (await listGroups(service, "&sort=count")).groups.map(({ count }) => count),
      [3, 2],
    );
    assert.deepEqual(
      (await listGroups(service, "&source=js&sort=nonsense")).groups.map(({ count }) => count),
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
        (await listGroups(service, `&${query}`)).groups.map(({ count }) => count),
        counts,
        query,
      );
    const { body } = await service.inject("/tools/errors?view=groups&source=js");
    assert.match(body, /<h1>Error groups<\/h1>/);
    assert.match(body, /Room 8 of 120 is &lt;b&gt;gone/);
    assert.doesNotMatch(body, /Route &#39;GET/);
    assert.match(body, /<input type="hidden" name="view" value="groups" \/>/);
    assert.match(body, /href="\/tools\/errors\?source=js&amp;view=groups&amp;sort=count">Most frequent/);
    assert.match(body, /href="\/tools\/errors\?source=js&amp;state=open">All entries/);
    assert.match(body, /aria-current="true">open<[^]*aria-current="true">Most recent</);
    const muted = await service.inject("/tools/errors?view=groups&sort=count&state=muted");
    assert.match(muted.body, /aria-current="true">muted<[^]*aria-current="true">Most frequent</);
    assert.match(body, /<title>Last 24 hours: 2 entries, peak 2 per hour<\/title>/);
    const csv = await service.inject("/tools/errors?view=groups&format=csv");
    assert.equal(csv.body.trimEnd().split("\r\n").length, 3);
  });

  test("the error groups link each count to the group's entries", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
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

  test("the error groups are split into pages in either order", async () => {
    await using service = await startApp({ database: await open() });
    for (let kind = 0; kind < 60; kind++) {
      service.clock.set(START + kind);
      for (let time = 0; time <= kind % 3; time++) await sendReport(service, { class: `Kind${kind}`, message: "x" });
    }
    for (const sort of ["last", "count"]) {
      const seen: string[] = [];
      for (let after: string | null = ""; after !== null;) {
        const { groups, next } = await listGroups(service, `&size=25&sort=${sort}&after=${after}`);
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

  test("the error groups isolate right-to-left text, as in the list", async () => {
    await using service = await startApp({ database: await open() });
    await sendReport(service, { message: "no room תוכנית-12, sorry" });
    for (const view of ["list", "groups"])
      assert.match((await service.inject(`/tools/errors?view=${view}`)).body, /no room <bdi>תוכנית-12<\/bdi>, sorry/, view);
  });

  test("the error groups are linked from the list", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    const { body } = await service.inject("/tools/errors?class=RangeError");
    assert.match(body, /href="\/tools\/errors\?class=RangeError&amp;view=groups">Groups/);
    assert.match((await service.inject("/tools/errors?view=groups&q=nothing")).body, /No groups match/);
    assert.match((await service.inject("/tools/errors?view=groups&state=muted")).body, /No muted groups/);
    for (const query of ["source=cobol", "state=closed"])
      assert.equal((await service.inject(`/tools/errors?view=groups&format=json&${query}`)).statusCode, 422, query);
  });

  test("the error groups show a note while older entries are being grouped", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await createErrors(service);
    await service.errors.flush();
    await database.write.updateTable("error_entry").set({ group_id: null }).where("source", "=", "js").execute();
    assert.match((await service.inject("/tools/errors?view=groups")).body, /Older entries are still being grouped/);
    assert.equal((await listGroups(service)).ungrouped, true);
  });
});

eachEngine("the number of open groups", (open) => {
  test("the number of open groups is shown on the home page and the tools page", async () => {
    await using service = await startApp({ database: await open() });
    await createErrors(service);
    const shown = async () => {
      const home = /href="\/tools\/errors\?view=groups">(\d+ open groups?)</.exec((await service.inject("/")).body)?.[1];
      const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
      return [home, cards.find(({ slug }) => slug === "errors")?.status];
    };
    await listGroups(service);
    assert.deepEqual(await shown(), ["2 open groups", "2 open groups, 5 in the last 24 hours"]);
    await changeAllGroups(service, { action: "resolve" });
    await sendReport(service, { message: "another" });
    await listGroups(service);
    assert.deepEqual(await shown(), ["1 open group", "1 open group, 7 in the last 24 hours"]);
  });
});

test("one link selects all error groups on the page and another clears the selection", async () => {
  await using service = await startWithErrors();
  const visitor = service.visitor();
  const [all, label] = selectLink((await visitor.get(GROUPS)).body);
  assert.equal(label, "Select all 2 on this page");
  const selected = (await visitor.get(all)).body;
  assert.equal(ticked(selected), 2);
  const [none, other] = selectLink(selected);
  assert.equal(other, "Clear selection");
  assert.equal(ticked((await visitor.get(none)).body), 0);
});

test("groups created after an action on all groups are not selected", async () => {
  await using service = await startWithErrors();
  const visitor = service.visitor();
  const [all] = selectLink((await visitor.get(GROUPS)).body);
  const ids = [...(await visitor.get(all)).body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
  const { headers } = await visitor.post(all, { action: "resolve", group: ids });
  assert.equal(headers.location, GROUPS);
  await service.inject("/another/path");
  await service.errors.flush();
  assert.equal(ticked((await visitor.get(GROUPS)).body), 0);
});

async function startWithErrors(): Promise<TestApp> {
  const service = await startApp();
  await service.inject("/no/such/page");
  await service.inject({ method: "POST", url: "/channel", payload: "" });
  await service.errors.flush();
  return service;
}

function selectLink(body: string): [to: string, label: string] {
  const [, to = "", label = ""] = /<a href="([^"]*)">(Select all [^<]*|Clear selection)</.exec(body) ?? [];
  return [to.replaceAll("&amp;", "&"), label];
}

function ticked(body: string): number {
  return body.match(/name="group"[^>]* checked/g)?.length ?? 0;
}
