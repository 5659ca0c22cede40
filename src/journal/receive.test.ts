import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { amountOf, categoryRow, countOf, MARCH, openHotels, RECEIVED_AT, replyOf, sampleWork } from "../../test/support/work.ts";
import type { Database } from "../db/database.ts";
import { withSortName } from "../records/sort-name.ts";
import { findMessage } from "./messages.ts";
import { readNights } from "./nights.ts";
import { receiveMessage, UnrequestedPageError } from "./receive.ts";
import type { PropertyRecords } from "./work.ts";

const COUNTS = { property: "H1", kind: "inventory", first: MARCH, last: MARCH + 2 } as const;

eachEngine("receive", (open) => {
  test("stores a count with its setter, and the message with its bodies and changes", async () => {
    const database = await openHotels(open);
    const receipt = await receiveMessage(database, sampleWork([countOf(3, { last: MARCH + 1 })]));
    assert.deepEqual(await readNights(database, COUNTS), [
      {
        category: "DBL",
        lane: "",
        columns: new Map([["available", [3, 3, undefined]]]),
        setters: new Map([["counts", [receipt.id, receipt.id, undefined]]]),
      },
    ]);
    const change = { kind: "inventory", category: "DBL", lane: "", column: "available", first: MARCH, last: MARCH + 1 };
    assert.deepEqual(receipt.changes, [{ ...change, from: undefined, to: 3 }]);
    const { message, bodies, changes } = (await findMessage(database, receipt.id))!;
    assert.deepEqual(changes, receipt.changes);
    assert.equal(Buffer.from(bodies!.answer).toString(), "<Success/>");
    assert.deepEqual(
      [message.changed_nights, message.last_night, message.outcome, message.micros, message.echo_token],
      [2, MARCH + 1, "ok", 2_000, "echo-1"],
    );
    assert.deepEqual(await activity(database), [
      { property: "H1", last_message_at: RECEIVED_AT + 2, last_complete_set_at: null, last_rate_plan_set_at: null, distribution: null },
    ]);
  });

  test("stores only the log entry of a refused message", async () => {
    const database = await openHotels(open);
    const { id, changedNights } = await receiveMessage(database, sampleWork([countOf(3)], { verdict: { outcome: "refused" } }));
    assert.equal(changedNights, 0);
    assert.deepEqual(await readNights(database, COUNTS), []);
    assert.equal((await findMessage(database, id))?.message.outcome, "refused");
    assert.deepEqual(await activity(database), [], "the property counts as silent");
  });

  test("logs a message for an unknown property or without a property", async () => {
    const database = await openHotels(open);
    const unknown = await receiveMessage(database, sampleWork([], { property: "NO", verdict: { outcome: "refused" } }));
    const broken = await receiveMessage(database, {
      ...sampleWork([], { verdict: { outcome: "malformed", reply: replyOf("", 400) }, received: { root: "a\0b" } }),
      property: undefined,
    });
    assert.equal((await findMessage(database, unknown.id))?.message.property, "NO");
    assert.equal((await findMessage(database, broken.id))?.message.root, "a\u{fffd}b");
    assert.deepEqual(await activity(database), []);
    const endless = await receiveMessage(database, sampleWork([], { property: "é".repeat(10_000), verdict: { outcome: "refused" } }));
    assert.equal((await findMessage(database, endless.id))?.message.property, "é".repeat(200));
  });

  test("reports what a dry run would change and stores only its log entry", async () => {
    const database = await openHotels(open);
    const work = sampleWork([countOf(3)], { received: { dryRun: true }, verdict: { plans: [{ code: "BAR" }] } });
    const { id, changedNights, changes } = await receiveMessage(database, work);
    assert.deepEqual([changedNights, changes.length], [1, 1]);
    assert.deepEqual(await readNights(database, COUNTS), []);
    assert.deepEqual(await database.read.selectFrom("rate_plan").selectAll().execute(), []);
    assert.deepEqual(await activity(database), []);
    const { message, changes: stored } = (await findMessage(database, id))!;
    assert.deepEqual([message.dry_run, message.changed_nights, message.last_night, stored], [1, 1, null, []]);
  });

  test("changes nothing if a message is repeated, and records the latest earlier message with the same body", async () => {
    const database = await openHotels(open);
    const first = await receiveMessage(database, sampleWork([countOf(3)]));
    const otherProperty = await receiveMessage(database, sampleWork([countOf(3)], { property: "H2" }));
    const second = await receiveMessage(database, sampleWork([countOf(3)], { received: { at: RECEIVED_AT + 1_000 } }));
    const third = await receiveMessage(database, sampleWork([countOf(3)], { received: { at: RECEIVED_AT + 2_000 } }));
    assert.deepEqual(
      [first, otherProperty, second, third].map(({ sameAs }) => sameAs),
      [undefined, undefined, first.id, second.id],
    );
    assert.deepEqual([second.changedNights, second.changes], [0, []]);
    assert.equal((await findMessage(database, third.id))?.message.same_as, second.id);
    assert.deepEqual((await readNights(database, COUNTS))[0]?.setters.get("counts"), [third.id, undefined, undefined]);
  });

  test("compares a body with the last 50 bodies for the same property or, if it has none, with the last 50 without a property", async () => {
    const database = await openHotels(open);
    for (const property of ["H1", undefined]) {
      const bodies = Array.from({ length: 51 }, (_, i) => Buffer.from(`body ${i} of ${property}`));
      const sent = [];
      for (const request of [...bodies, bodies[1]!, bodies[1]!, bodies[1]!])
        sent.push(await receiveMessage(database, sampleWork([], { property, request })));
      const late = await receiveMessage(database, sampleWork([], { property, request: bodies[3]! }));
      assert.deepEqual(
        [sent[50], sent[51], sent[52], sent[53], late].map((one) => one!.sameAs),
        [undefined, sent[1]!.id, sent[51]!.id, sent[52]!.id, undefined],
      );
    }
  });

  test("does not compare empty or unread bodies", async () => {
    const database = await openHotels(open);
    for (const property of ["H1", undefined]) {
      const work = sampleWork([], { property, request: Buffer.alloc(0), verdict: { outcome: "malformed" } });
      assert.deepEqual(
        [(await receiveMessage(database, work)).sameAs, (await receiveMessage(database, work)).sameAs],
        [undefined, undefined],
      );
    }
  });

  test("distinguishes large bodies that differ in a single byte", async () => {
    const database = await openHotels(open);
    const [one, other] = ["a", "b"].map((last) => Buffer.from(`${"body ".repeat(2_000)}${last}`));
    const sent = [];
    for (const request of [one!, other!, one!, other!]) sent.push(await receiveMessage(database, sampleWork([], { request })));
    assert.deepEqual(
      sent.map(({ sameAs }) => sameAs),
      [undefined, undefined, sent[0]!.id, sent[1]!.id],
    );
  });

  test("applies concurrent messages for one property in the order of their ids", async () => {
    const database = await openHotels(open);
    const large = Buffer.alloc(300_000, "a large body ");
    const nights = Array.from({ length: 30 }, (_, i) => i);
    const works = nights.map((i) =>
      sampleWork([countOf(i, { first: MARCH + i }), countOf(i, { category: "SGL" })], i % 3 ? {} : { request: large }),
    );
    const receipts = await Promise.all(works.map((work) => receiveMessage(database, work)));
    const held = await readNights(database, { ...COUNTS, last: MARCH + 29 });
    assert.deepEqual(held[0]?.columns.get("available"), nights);
    const ids = receipts.map(({ id }) => id);
    assert.equal(held[1]?.columns.get("available")?.[0], ids.indexOf(Math.max(...ids)));
  });

  test("returns large bodies unchanged", async () => {
    const database = await openHotels(open);
    const request = Buffer.from("é<".repeat(5_000));
    const reply = replyOf("answer".repeat(5_000));
    for (const work of [{ request }, { verdict: { reply } }, { request, verdict: { reply } }]) {
      const receipt = await receiveMessage(database, sampleWork([], work));
      if (work.verdict) assert.equal(receipt.reply, reply);
      const { id } = receipt;
      const { bodies } = (await findMessage(database, id))!;
      if (work.request) assert.deepEqual(Buffer.from(bodies!.request), request);
      if (work.verdict) assert.deepEqual(Buffer.from(bodies!.answer), reply.body);
    }
    const kept = await database.read.selectFrom("message_body").selectAll().execute();
    assert.ok(kept.every((body) => body.request.length + body.answer.length < 1_000));
  });

  test("stores nothing if an operation changes a page that was not requested", async () => {
    const database = await openHotels(open);
    const faulty = sampleWork([countOf(3)], { pages: [{ kind: "inventory", category: "SGL", first: MARCH, last: MARCH }] });
    await assert.rejects(receiveMessage(database, faulty), UnrequestedPageError);
    assert.deepEqual(await readNights(database, COUNTS), []);
    assert.deepEqual(await database.read.selectFrom("message").select("id").execute(), []);
  });

  test("deletes the pages that a complete set empties, and records the time of the set", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(3, { last: MARCH + 300 }), amountOf(9_900, "BAR")]));
    const clear = { type: "clear", kind: "inventory", groups: ["counts", "closed"], from: MARCH } as const;
    await receiveMessage(database, sampleWork([clear], { verdict: { completeSet: "counts" } }));
    assert.deepEqual(await database.read.selectFrom("inventory_page").selectAll().execute(), []);
    assert.equal((await database.read.selectFrom("rate_page").selectAll().execute()).length, 1);
    assert.equal((await activity(database))[0]?.last_complete_set_at, RECEIVED_AT + 2);
  });

  test("creates a rate plan when it is first mentioned and keeps fields that later messages omit", async () => {
    const database = await openHotels(open);
    const mentionAt = (plan: object, at: number) =>
      receiveMessage(database, sampleWork([amountOf(9_900, "BAR")], { received: { at }, verdict: { plans: [{ code: "BAR", ...plan }] } }));
    await mentionAt({ name: "Best", meal_plan: "3" }, RECEIVED_AT);
    await mentionAt({ currency: "EUR" }, RECEIVED_AT + 1_000);
    await mentionAt({}, RECEIVED_AT + 5_000);
    const [plan, ...others] = await database.read.selectFrom("rate_plan").selectAll().execute();
    assert.deepEqual(others, []);
    const { name, meal_plan, currency, status, sender, first_seen_at, last_seen_at } = plan!;
    assert.deepEqual([name, meal_plan, currency, status, sender], ["Best", "3", "EUR", "active", "pms"]);
    assert.deepEqual([first_seen_at, last_seen_at], [RECEIVED_AT + 2, RECEIVED_AT + 1_002]);
    await mentionAt({}, RECEIVED_AT + 90_000);
    assert.equal((await database.read.selectFrom("rate_plan").select("last_seen_at").execute())[0]?.last_seen_at, RECEIVED_AT + 90_002);
  });

  test("reads rate plan details only on request, and keeps stored ones even if they were not read", async () => {
    const database = await openHotels(open);
    const seen: unknown[] = [];
    const mention = (plan: object, ask: { planDetails?: true } = {}) => {
      const { decide, ...work } = sampleWork([], { verdict: { plans: [{ code: "BAR", ...plan }] }, ...ask });
      const look = (directory: PropertyRecords, id: number) => {
        seen.push(directory.plans.get("BAR")?.details);
        return decide(directory, id);
      };
      return receiveMessage(database, { ...work, decide: look });
    };
    await mention({ details: "long" });
    await mention({ name: "Best" });
    await mention({}, { planDetails: true });
    assert.deepEqual(seen, [undefined, undefined, "long"]);
  });

  test("passes the property, its categories and its plans to `decide`", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([amountOf(9_900, "BAR")], { verdict: { plans: [{ code: "BAR" }, { code: "NRF" }] } }));
    const seen: string[] = [];
    const work = sampleWork([]);
    const decide: typeof work.decide = (directory, id) => {
      seen.push(directory.property!.name, ...directory.categories.keys(), ...directory.plans.keys());
      return work.decide(directory, id);
    };
    await receiveMessage(database, { ...work, decide });
    assert.deepEqual(seen, ["Hotel H1", "DBL", "SGL", "BAR", "NRF"]);
  });

  test("creates and replaces categories described by a message", async () => {
    const database = await openHotels(open);
    const suite = { ...categoryRow("H1", "SUI"), name: "Suite" };
    await receiveMessage(database, sampleWork([], { verdict: { categories: [suite] } }));
    await receiveMessage(
      database,
      sampleWork([], { verdict: { categories: [{ ...suite, name: "Grand Suite", version: 2, created_at: 0 }] } }),
    );
    const row = await database.read.selectFrom("category").selectAll().where("code", "=", "SUI").executeTakeFirstOrThrow();
    assert.deepEqual({ ...row }, withSortName({ ...suite, name: "Grand Suite", version: 2 }));
  });
});

function activity(database: Database) {
  return database.read
    .selectFrom("property_activity")
    .selectAll()
    .execute()
    .then((rows) => rows.map((row) => ({ ...row })));
}
