import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../../test/support/channel.ts";
import { openFresh } from "../../../../../test/support/databases.ts";
import { MAX_PULLS } from "../../limits.ts";
import type { HotelRequest, Message } from "../../message.ts";
import { hotelRatePlan } from "./message.ts";

test("however many pulls come at once, few answers are made at a time, and all are answered", async () => {
  const fresh = await openFresh("SQLite");
  try {
    let [underWay, most] = [0, 0];
    const watched = watchedMessage(hotelRatePlan, (change) => (most = Math.max(most, (underWay += change))));
    const channel = openChannel(fresh.database, [watched]);
    const hotels = await Promise.all(Array.from({ length: 4 * MAX_PULLS }, () => channel.hotel()));
    const answers = await Promise.all(hotels.map(({ code }) => channel.send(pull(code))));
    assert.ok(answers.every(({ text }) => text.includes("<Success/>")));
    assert.deepEqual([most, underWay], [MAX_PULLS, 0]);
  } finally {
    await fresh.remove();
  }
});

function pull(hotel: string): string {
  const plan = `<RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans>`;
  return `<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${plan}</OTA_HotelRatePlanRQ>`;
}

/** A real message, which tells when its nights are read, and when its answer is made. */
function watchedMessage(real: Message, tell: (change: 1 | -1) => void): Message {
  return {
    ...real,
    read(context) {
      const reader = real.read(context);
      return {
        open: (...element) => reader.open(...element),
        close: (...element) => reader.close(...element),
        text: (text) => reader.text(text),
        finish() {
          const { load, ...request } = reader.finish() as HotelRequest;
          return {
            ...request,
            async load(...query) {
              tell(1);
              const { decide, ...loaded } = await load!(...query);
              return {
                ...loaded,
                *decide(decided) {
                  const decision = yield* decide(decided);
                  tell(-1);
                  return decision;
                },
              };
            },
          };
        },
      };
    },
  };
}
