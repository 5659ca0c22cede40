import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import {
  countMessage,
  editRecord,
  makeCategory,
  makeHotel,
  makeProperty,
  postMessage,
  postXml,
  textOf,
} from "../../../test/support/hotel.ts";
import { addSender } from "../../../test/support/senders.ts";
import { propertyRow } from "../../cli/seed/records.ts";
import { createRows } from "../../cli/seed/store.ts";
import type { MessageRow } from "../../db/schema.ts";
import { withSortName } from "../../records/sort-name.ts";

const DAY_MS = 86_400_000;

function messageRow(id: number, receivedAt: number, outcome: MessageRow["outcome"]): MessageRow {
  return {
    id,
    received_at: receivedAt,
    property: "LUX01",
    sender: null,
    via: "channel",
    transport: "raw",
    root: "OTA_HotelInvCountNotifRQ",
    action: null,
    outcome,
    status: 200,
    micros: 900,
    request_bytes: 10,
    answer_bytes: 10,
    lines: 1,
    changed_nights: 0,
    last_night: null,
    dry_run: 0,
    echo_token: null,
    stamp: null,
    remote: null,
    body_hash: 1,
    same_as: null,
    summary: `message ${id}`,
    pruned: 0,
  };
}

/** Sends the message from the command on the page. */
function sendMessageOf(service: TestApp, page: string) {
  const escaped = /&lt;OTA_HotelInvCountNotifRQ.*&lt;\/OTA_HotelInvCountNotifRQ&gt;/s.exec(page)![0];
  const payload = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
  return service.inject({ method: "POST", url: "/channel", headers: { "content-type": "text/xml" }, payload });
}

eachEngine("the home page", (open) => {
  test("guides a new user through getting started", async () => {
    await using service = await startApp({ database: await open() });
    const empty = await service.inject("/");
    assert.match(empty.body, /<h1>Roomrack<\/h1>/);
    assert.match(empty.body, /href="\/property\/new">Create a property/);
    assert.doesNotMatch(empty.body, /curl/);
    const visitor = service.visitor();
    const form = { code: "LUX01", name: "Lux", status: "active", currency: "EUR", timeZone: "Europe/Rome" };
    assert.equal((await visitor.post("/property/new", form)).statusCode, 303);
    const started = await service.inject("/");
    assert.match(started.body, /href="\/category\/new\?hotelCode=LUX01"/);
    assert.equal(started.body.match(/>done</g)?.length, 1);
  });

  test("shows a command for an existing category", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    await visitor.post("/property/new", { code: "LUX01", name: "Lux", status: "active", currency: "EUR", timeZone: "Europe/Rome" });
    await visitor.get("/category/new");
    const created = await visitor.post("/category/new", {
      hotelCode: "LUX01",
      code: "DBL",
      name: "Double",
      rooms: "5",
      standardOccupancy: "2",
      maxOccupancy: "2",
    });
    assert.equal(created.statusCode, 303, created.body);
    const { body } = await service.inject("/");
    assert.match(body, /curl -i http:\/\/localhost:80\/channel -H &#39;Content-Type: application\/xml&#39; --data-binary @-/);
    assert.match(body, /Inventories HotelCode=&quot;LUX01&quot;/);
    assert.match(body, /Start=&quot;2026-11-21&quot; End=&quot;2026-11-27&quot; InvTypeCode=&quot;DBL&quot;/);
    const answer = await sendMessageOf(service, body);
    assert.match(answer.body, /<Success\/>/);
    const after = await service.inject("/");
    assert.equal(after.body.match(/>done</g)?.length, 4);
    assert.match(after.body, /href="\/inventories\?property=LUX01&amp;category=DBL"/);
    assert.match(after.body, /<details class="panel">\s*<summary>Getting started/, "completed steps are folded");
  });

  test("offers no more rooms in the first message than the category has", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "LUX01", name: "Lux" });
    await makeCategory(service, { hotelCode: "LUX01", code: "DBL", name: "Double" });
    const { body } = await service.inject("/");
    assert.match(body, /send a message that makes 1 room of <code>DBL<\/code>\s+available for a\s+week/);
    const answer = await sendMessageOf(service, body);
    assert.match(answer.body, /<Success\/>/);
    assert.doesNotMatch(answer.body, /Warning/);
  });

  test("offers rooms in the first message if the category's number of rooms is unknown", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "LUX01", name: "Lux" });
    await makeCategory(service, { hotelCode: "LUX01", code: "DBL", name: "Double", rooms: "0" });
    const { body } = await service.inject("/");
    assert.match(body, /send a message that makes 5 rooms of <code>DBL<\/code>\s+available for a\s+week/);
    const answer = await sendMessageOf(service, body);
    assert.match(answer.body, /<Success\/>/);
    assert.doesNotMatch(answer.body, /Warning/);
  });

  test("suggests a first message for a category that accepts messages", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A1", name: "Adler", status: "inactive" });
    await makeCategory(service, { hotelCode: "A1", code: "DBL", name: "Double" });
    await makeProperty(service, { code: "B1", name: "Bär", status: "test" });
    await makeCategory(service, { hotelCode: "B1", code: "DBL", name: "Double", status: "inactive" });
    assert.doesNotMatch((await service.inject("/")).body, /curl/, "no active category");
    await makeCategory(service, { hotelCode: "B1", code: "SGL", name: "Single" });
    const { body } = await service.inject("/");
    const answer = await sendMessageOf(service, body);
    assert.match(answer.body, /<Success\/>/);
    assert.match(body, /HotelCode=&quot;B1&quot;[^]*InvTypeCode=&quot;SGL&quot;/);
  });

  test("adds credentials to commands once they are required", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: 'Start="2026-11-21" End="2026-11-21" InvTypeCode="DBL"', counts: [[2, 1]] }));
    const commands = async () => {
      const pages = await Promise.all(["/", "/dev", "/dev/logs/1"].map((url) => service.inject(url)));
      return pages.map(({ body }) => body.includes("curl -i http://localhost:80/channel -u SENDER:SECRET"));
    };
    assert.deepEqual(await commands(), [false, false, false]);
    await addSender(service.database, { name: "pms" });
    assert.deepEqual(await commands(), [true, true, true]);
    assert.match((await service.inject("/")).body, /npm run sender -- add NAME/);
  });

  test("counts the messages of the last 24 hours by outcome and lists the newest ones", async () => {
    await using service = await startApp({ database: await open() });
    const now = service.clock.now();
    const ages = [2 * DAY_MS, 5000, 4000, 3000, 2000, 1000, 500];
    const rows = ages.map((age, index) => messageRow(index + 1, now - age, index % 2 === 0 ? "ok" : "refused"));
    await service.database.write.insertInto("message").values(rows).execute();
    const { body } = await service.inject("/");
    assert.match(body, /<p class="figure">6<\/p>/);
    const parts = [...body.matchAll(/<rect [^>]*x="([\d.]+)" width="([\d.]+)"/g)].map(([, x, width]) => [x, width]);
    assert.deepEqual(
      parts.filter(([, width]) => width !== "0.00"),
      [
        ["0.00", "50.00"],
        ["50.00", "50.00"],
      ],
      "both halves of the bar",
    );
    for (const outcome of ["ok", "refused"]) {
      const [, to = ""] = new RegExp(`href="([^"]+)">3 ${outcome}<`).exec(body) ?? [];
      const { messages } = (await service.inject(`${to.replaceAll("&amp;", "&")}&format=json`)).json<{ messages: { outcome: string }[] }>();
      assert.deepEqual(
        messages.map((message) => message.outcome),
        [outcome, outcome, outcome],
        "the log shows the counted messages",
      );
    }
    assert.match(body, /<th scope="col">Received<\/th>\s*<th scope="col">Outcome<\/th>/, "visible on a phone");
    assert.match(body, /\/dev\/logs\/7"/);
    assert.doesNotMatch(body, /\/dev\/logs\/2"/);
  });

  test("lists properties whose messages are refused or have stopped", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    assert.doesNotMatch((await service.inject("/")).body, /silent|Needs attention/, "no warnings before the first message");
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await makeProperty(service, { code: "OLD", name: "Old", status: "inactive" });
    const counts = countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] });
    await postMessage(service, counts);
    const first = await service.inject("/");
    assert.match(textOf(first), /Properties 3 1 with no messages yet /);
    assert.doesNotMatch(textOf(first), /silent|Needs attention/, "a new property is neither");
    const [, neverSent = ""] = /href="([^"]+)">1 with no messages yet/.exec(first.body) ?? [];
    assert.match(textOf(await service.inject(neverSent.replaceAll("&amp;", "&"))), /Seaside(?!.*(Alpenblick|Old))/);
    service.clock.set(service.clock.now() + 2 * DAY_MS);
    await makeProperty(service, { code: "NEW", name: "Newcomer" });
    assert.match(
      textOf(await service.inject("/")),
      /Properties 4 1 silent for over a day 2 with no messages yet .* 1 property silent for over a day Alpenblick ALP 1 d ago, 2026-11-20[^A-Z]* 2 properties with no accepted messages Seaside SEA never Freshness Last accepted message per active property: 1 1 to 7 days ago 2 never Recent messages/,
    );
    service.clock.set(service.clock.now() + DAY_MS);
    await postXml(service, counts.replace('"ALP"', '"SEA"'));
    await postXml(service, counts.replace('"ALP"', '"NONE"'));
    const { body } = await service.inject("/");
    const text = textOf({ body } as never);
    assert.match(
      text,
      /1 refused of 1 message NONE – 1 refused of 1 message Seaside SEA – 1 property silent for over a day Alpenblick ALP 2 d ago, 2026-11-20[^A-Z]* 2 properties with no accepted messages Seaside SEA last refused just now, 2026-11-23/,
    );
    assert.match(body, /<a href="\/property\/SEA">Seaside<\/a>/);
    const [, refused = ""] = /href="([^"]*property=SEA&amp;outcome[^"]*)"/.exec(body) ?? [];
    assert.match(textOf(await service.inject(refused.replaceAll("&amp;", "&"))), /refused SEA/);
    const [, silent = ""] = /href="([^"]+)">1 silent for over a day/.exec(body) ?? [];
    assert.match(textOf(await service.inject(silent.replaceAll("&amp;", "&"))), /Alpenblick(?!.*Seaside)/);
  });

  test("lists the properties with the most refused messages and links to all of them", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const counts = countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] });
    await postMessage(service, counts);
    const refuse = (property: string) => postXml(service, counts.replace('"ALP"', `"${property}"`));
    for (const property of ["NO1", "NO2", "NO3", "NO4", "NO5"]) await refuse(property);
    assert.doesNotMatch(textOf(await service.inject("/")), /All messages refused/, "all are listed");
    await refuse("NO6");
    const { body } = await service.inject("/");
    assert.doesNotMatch(/Needs attention.*?<\/table>/s.exec(body)?.[0] ?? "", /NO6/);
    const [, all] = /href="([^"]+)">All messages refused in the last 24 hours</.exec(body) ?? [];
    assert.ok(all);
    assert.match(textOf(await service.inject(all.replaceAll("&amp;", "&"))), /NO6 .*NO1 /);
  });

  test("returns the same data as JSON", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await postMessage(service, countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] }));
    await postXml(service, "<broken");
    const answer = await service.inject("/?format=json");
    const { properties, lastDay, neverSent, messages } = answer.json();
    assert.deepEqual(properties, { total: 2, exact: true });
    assert.deepEqual(lastDay.messages, { total: 2, exact: true, outcomes: { malformed: 1, ok: 1 } });
    assert.deepEqual(lastDay.silent, { total: 0, exact: true, longest: [] });
    assert.deepEqual(neverSent, { total: 1, exact: true, oldest: [] });
    assert.deepEqual(
      messages.map(({ id, outcome }: { id: number; outcome: string }) => [id, outcome]),
      [
        [2, "malformed"],
        [1, "ok"],
      ],
    );
    assert.deepEqual((await service.inject({ url: "/", headers: { accept: "application/json" } })).json(), answer.json());
    service.clock.set(service.clock.now() + 2 * DAY_MS);
    const later = (await service.inject("/?format=json")).json();
    const [longest] = later.lastDay.silent.longest;
    assert.match(JSON.stringify(longest), /^{"code":"ALP","name":"Alpenblick","lastMessageAt":"2026-11-20T09:00:00\.\d+Z"}$/);
    assert.deepEqual(later.neverSent.oldest, [{ code: "SEA", name: "Seaside", createdAt: "2026-11-20T09:00:00.000Z" }]);
  });

  test("keeps the getting-started steps marked as done if the only property becomes inactive", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const counts = countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] });
    await postMessage(service, counts);
    await editRecord(service, "/property/ALP/edit", { status: "inactive" });
    await postXml(service, counts);
    const home = await service.inject("/");
    assert.match(
      textOf(home),
      /Needs attention .* 1 refused of 2 messages Alpenblick ALP .* Getting started .* Create a category, a type of room[^.]*\. done/,
    );
    assert.match(textOf(home), /The command appears here once there is an active category/);
  });

  test("counts silent properties at most once a minute if there are too many to count each time", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: 'Start="2026-11-25" End="2026-11-25" InvTypeCode="DBL"', counts: [[2, 1]] }));
    const neverSent = async () => / (\S+) with no messages yet/.exec(textOf(await service.inject("/")))?.[1];
    assert.equal(await neverSent(), undefined);
    const rows = Array.from({ length: 2_000 }, (_, index) => withSortName(propertyRow(index, 0)));
    await createRows(service.database, "property", rows.slice(0, -1));
    assert.equal(await neverSent(), "1,999", "few enough to count each time");
    await createRows(service.database, "property", rows.slice(-1));
    assert.equal(await neverSent(), "2,000");
    await service.database.write.updateTable("property").set({ status: "inactive" }).execute();
    assert.equal(await neverSent(), "2,000", "up to a minute old");
    service.clock.set(service.clock.now() + 60_000);
    assert.equal(await neverSent(), undefined);
  });

  test("lists messages with their property", async () => {
    await using service = await startApp({ database: await open() });
    assert.doesNotMatch((await service.inject("/")).body, /Recent messages/);
    const row = messageRow(1, service.clock.now(), "ok");
    await service.database.write.insertInto("message").values(row).execute();
    assert.match((await service.inject("/")).body, /<h2>Recent messages<\/h2>[^]*<code>LUX01<\/code>/);
    assert.doesNotMatch((await service.inject("/")).body, /dry run/);
    await service.database.write.updateTable("message").set({ property: null, dry_run: 1 }).execute();
    assert.match((await service.inject("/")).body, /<span class="badge">dry run<\/span>/);
    assert.match((await service.inject("/")).body, /<td class="none">–<\/td>/);
  });

  test("counts open error groups", async () => {
    await using service = await startApp({ database: await open() });
    const groups = async () => /<a href="\/tools\/errors\?view=groups">([^<]*)</.exec((await service.inject("/")).body)?.[1];
    assert.equal(await groups(), undefined);
    await service.inject("/nothing");
    await service.errors.flush();
    assert.equal(await groups(), "1 open group");
    await service.inject("/property/NONE");
    await service.errors.flush();
    assert.equal(await groups(), "2 open groups");
  });

  test("returns the home page for every HTTP method", async () => {
    await using service = await startApp({ database: await open() });
    for (const method of ["POST", "PUT", "DELETE", "PROPFIND", "REPORT"]) {
      const response = await service.inject({ method: method as "POST", url: "/" });
      assert.equal(response.statusCode, 200, method);
    }
  });
});

test("groups refusals by connection and cause, and charts each connection's messages by hour", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: ROOMS, counts: [[2, 5]] }));
  const secret = await addSender(service.database, { name: "channel-x" });
  const authorization = `Basic ${Buffer.from(`channel-x:${secret}`).toString("base64")}`;
  const send = (category: string) => {
    const payload = countMessage({ control: ROOMS.replace("DBL", category), counts: [[2, 1]] });
    return service.inject({ method: "POST", url: "/channel", headers: { authorization, "content-type": "text/xml" }, payload });
  };
  for (const category of ["SUI", "SUI", "DBL"]) await send(category);
  const text = textOf(await service.inject("/"));
  assert.match(text, /Needs attention Problem Where Last 2 messages refused [^0-9]*\(SUI\) channel-x just now, \S+ \S+ Connections/);
  assert.match(text, /1 accepted and 2 refused in the last 24 hours, by hour .*channel-x .* 33% just now/);
  const { lastDay, lastAccepted } = (await service.inject("/?format=json")).json();
  assert.deepEqual(
    lastDay.causes.map(({ sender, count }: { sender: string; count: number }) => [sender, count]),
    [["channel-x", 2]],
  );
  assert.deepEqual(lastAccepted, { hour: 1, day: 0, week: 0, older: 0, never: 0 });
});

const ROOMS = 'Start="2026-11-21" End="2026-11-22" InvTypeCode="DBL"';
