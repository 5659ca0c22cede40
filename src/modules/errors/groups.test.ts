import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { groupErrors } from "./groups.ts";

type Groups = {
  groups: { count: number; class: string; message: string; source: string; firstAt: string; lastAt: string }[];
  entries: number;
};

eachEngine("the error log in groups", (open) => {
  /** Three unknown addresses, then a report that stands below them, then the same with another number. */
  const fill = async (service: TestApp) => {
    for (const [index, name] of ["a", "b", "c1f0a2b3"].entries()) {
      service.clock.set(START + index * 1000);
      await service.inject(`/${name}`);
    }
    for (const message of ["Room 7 of 12 is <b>gone</b>", "Room 8 of 120 is <b>gone</b>"]) {
      service.clock.set(service.clock.now() + 1000);
      const headers = { "content-type": "application/json" };
      await service.inject({ method: "POST", url: "/_errors/log", headers, payload: JSON.stringify({ message, class: "RangeError" }) });
    }
  };
  const groupsAt = async (service: TestApp, query = "") =>
    (await service.inject(`/tools/errors?view=groups&format=json${query}`)).json<Groups>();

  test("has one row for what differs in names and numbers alone, with how often and when it came", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const { groups, entries } = await groupsAt(service);
    assert.equal(entries, 5);
    assert.deepEqual(
      groups.map((group) => [group.count, group.class, group.source, group.message]),
      [
        [2, "RangeError", "js", "Room 8 of 120 is <b>gone</b>"],
        [3, "NotFoundException", "php", "Route 'GET /c1f0a2b3' not found"],
      ],
    );
    assert.deepEqual(
      [groups[1]!.firstAt, groups[1]!.lastAt],
      [START, START + 2000].map((at) => new Date(at).toISOString()),
    );
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
    const { body } = await service.inject("/tools/errors?view=groups&source=js");
    assert.match(body, /<h1>Errors in groups<\/h1>/);
    assert.match(body, /<td class="number"[^>]*>2<\/td>/);
    assert.match(body, /Room 8 of 120 is &lt;b&gt;gone/);
    assert.doesNotMatch(body, /Route &#39;GET/);
    assert.match(body, /<input type="hidden" name="view" value="groups" \/>/);
    assert.match(body, /href="\/tools\/errors\?source=js&amp;view=groups&amp;sort=count">Most often first/);
    assert.match(body, /href="\/tools\/errors\?source=js">Every entry/);
    assert.match(body, /<a href="\/tools\/errors\?class=\w+&amp;source=js">/, "the class leads to all entries of it");
    const csv = await service.inject("/tools/errors?view=groups&format=csv");
    assert.equal(csv.body.trimEnd().split("\r\n").length, 3);
  });

  test("is put together at once, whatever quotes strangers send", () => {
    const entry = { at: 1, class: "Error", source: "js", caught: false, status: undefined, group: undefined } as const;
    for (const quote of ["“", "'", '"']) {
      const entries = Array.from({ length: 10 }, (_, id) => ({ ...entry, id, message: `${id}${quote.repeat(30_000)}` }));
      const begun = performance.now();
      assert.equal(groupErrors(entries, "last").length, 1, quote);
      assert.ok(performance.now() - begun < 1_000, `${quote}: ${performance.now() - begun} ms`);
    }
  });

  test("keeps words that run from right to left apart, as the list does", async () => {
    await using service = await startApp({ database: await open() });
    const headers = { "content-type": "application/json" };
    await service.inject({
      method: "POST",
      url: "/_errors/log",
      headers,
      payload: JSON.stringify({ message: "no room תוכנית-12, sorry" }),
    });
    for (const view of ["list", "groups"])
      assert.match((await service.inject(`/tools/errors?view=${view}`)).body, /no room <bdi>תוכנית-12<\/bdi>, sorry/, view);
  });

  test("is another view, to which the list leads", async () => {
    await using service = await startApp({ database: await open() });
    await fill(service);
    const { body } = await service.inject("/tools/errors?class=RangeError");
    assert.match(body, /href="\/tools\/errors\?class=RangeError&amp;view=groups">In groups/);
    assert.match((await service.inject("/tools/errors?view=groups&q=nothing")).body, /No entry matches/);
    assert.equal((await service.inject("/tools/errors?view=groups&format=json&source=cobol")).statusCode, 422);
  });
});
