import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { decisionOf } from "../../../../test/support/decisions.ts";
import { withRequests } from "../../../../test/support/pieces.ts";
import { COMPLETE_SET, doubles, message, plan, rates } from "../../../../test/support/rate-plans.ts";
import type { Database } from "../../../db/database.ts";
import { inOnePiece, type Pieces } from "../../../pieces.ts";
import { MANY_LINES } from "../limits.ts";
import type { DecisionContext, HotelRequest, Message } from "../message.ts";
import { ratePlanNotif } from "../messages/rate-plan-notif/message.ts";
import { note } from "../ota-error.ts";

type Seen = { locked: boolean; category: string };

eachEngine("A message is decided", (open) => {
  for (const { lines, effort, meanwhile, seen } of [
    { lines: MANY_LINES, meanwhile: "nothing", seen: [{ locked: true, category: "active" }] },
    { lines: MANY_LINES + 1, meanwhile: "nothing", seen: [{ locked: false, category: "active" }] },
    { lines: 1, effort: MANY_LINES + 1, meanwhile: "nothing", seen: [{ locked: false, category: "active" }] },
    {
      lines: MANY_LINES + 1,
      meanwhile: "closed",
      seen: [
        { locked: false, category: "active" },
        { locked: true, category: "inactive" },
      ],
    },
  ]) {
    const when = seen.map(({ locked }) => (locked ? "under the lock" : "before its hotel is locked")).join(" and again ");
    test(`${when}: ${lines} lines, effort ${effort}, ${meanwhile} of the hotel changed meanwhile`, async () => {
      const found: Seen[] = [];
      const database = await open();
      let locked = false;
      const channel = openChannel(
        watched(database, {
          before: async () =>
            void (
              meanwhile === "closed" &&
              found.length === 1 &&
              (await database.write.updateTable("category").set({ status: "inactive" }).execute())
            ),
          locks: (isLocked) => void (locked = isLocked),
        }),
        [ratePlanNotif, messageOf({ lines, effort }, (category) => found.push({ locked, category }))],
      );
      const { code } = await channel.hotel();
      await channel.send(message(code, plan("full", rates(doubles(1, 2, "99"))), COMPLETE_SET));
      const { text } = await channel.send(`<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" HotelCode="${code}"/>`);
      assert.deepEqual(found, seen);
      const warnings = Array.from(text.matchAll(/DBL is (\w+)<\/Warning>/g), ([, status]) => status);
      assert.deepEqual(warnings, [seen.at(-1)!.category], "nothing of a decision that does not count");
    });
  }

  test("before its hotel is locked where it goes through all rate plans, and else under the lock", async () => {
    const database = await open();
    let locked = false;
    const found: boolean[] = [];
    const told = withRequests(ratePlanNotif, (request) => ({
      ...request,
      decide(context) {
        found.push(locked);
        return request.decide(context);
      },
    }));
    const channel = openChannel(watched(database, { before: async () => {}, locks: (isLocked) => void (locked = isLocked) }), [told]);
    const { code } = await channel.hotel();
    await channel.send(message(code, plan("full", rates(doubles(1, 2, "99"))), COMPLETE_SET));
    await channel.send(message(code, plan("full", rates(doubles(1, 2, "99")))));
    assert.deepEqual(found, [false, true]);
  });

  test("not at all when it has waited for too long", async (context) => {
    let decided = 0;
    const channel = openChannel(await open(), [messageOf({ lines: MANY_LINES + 1 }, () => decided++)]);
    const { code } = await channel.hotel();
    let asked = 0;
    context.mock.method(performance, "now", () => (asked++ === 0 ? 0 : 16_000));
    const { status } = await channel.send(`<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" HotelCode="${code}"/>`);
    context.mock.restoreAll();
    assert.deepEqual([status, decided], [503, 0]);
  });
});

/** A message of so many lines and so much effort, known once it is loaded, that tells the category's status each time it is decided. */
function messageOf({ lines, effort }: Pick<HotelRequest, "lines" | "effort">, tell: (category: string) => void): Message {
  return {
    root: "OTA_HotelInvCountNotifRQ",
    about: "",
    actions: [],
    examples: [],
    read() {
      const hotel = { code: undefined as string | undefined, name: undefined, at: { offset: 0, record: undefined } };
      return {
        open: (_name, attributes) => void (hotel.code = attributes.get("HotelCode")),
        close() {},
        text() {},
        finish() {
          function* decide({ categories, report }: DecisionContext): Pieces<{ summary: string }> {
            const { status } = categories.get("DBL")!;
            tell(status);
            report.warn(note(`DBL is ${status}`));
            yield;
            return { summary: "decided" };
          }
          const loaded = { decide, ...(effort !== undefined && { effort }) };
          return inOnePiece<HotelRequest>({ kind: "hotel", hotel, lines, pages: [], planDetails: true, load: async () => loaded, decide });
        },
      };
    },
  };
}

type Watch = { before(): Promise<void>; locks(isLocked: boolean): void };

/** The same database; says when a batch is decided, and waits for something else before each. */
function watched(database: Database, { before, locks }: Watch): Database {
  return {
    ...database,
    async commit(batch) {
      await before();
      return database.commit({
        ...batch,
        *decide(rows, id) {
          locks(true);
          try {
            return yield* decisionOf(batch, rows, id);
          } finally {
            locks(false);
          }
        },
      });
    },
  };
}
