import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../../test/support/channel.ts";
import { openFresh } from "../../../../../test/support/databases.ts";
import { withRequests } from "../../../../../test/support/pieces.ts";
import { LARGE, MAX_PULLS } from "../../limits.ts";
import type { HotelRequest } from "../../message.ts";
import { ping } from "../ping/message.ts";
import { hotelRatePlan } from "./message.ts";

test("however many pulls come at once, few answers are made at a time, and all are answered", async () => {
  const fresh = await openFresh("SQLite");
  try {
    let [underWay, most] = [0, 0];
    const count = (change: number) => (most = Math.max(most, (underWay += change)));
    const message = withRequests(hotelRatePlan, (request) => watched(request, count));
    const channel = openChannel(fresh.database, [message]);
    const hotels = await Promise.all(Array.from({ length: 4 * MAX_PULLS }, () => channel.hotel()));
    const answers = await Promise.all(hotels.map(({ code }) => channel.send(pull(code))));
    assert.ok(answers.every(({ text }) => text.includes("<Success/>")));
    assert.deepEqual([most, underWay], [MAX_PULLS, 0]);
  } finally {
    await fresh.remove();
  }
});

test("a large pull that waits for its place among others lets later messages pass", async () => {
  const fresh = await openFresh("SQLite");
  const held = Promise.withResolvers<void>();
  try {
    const full = Promise.withResolvers<void>();
    let underWay = 0;
    const message = withRequests(hotelRatePlan, (request) => ({
      ...request,
      async load(...query) {
        if (++underWay === MAX_PULLS) full.resolve();
        await held.promise;
        return request.load!(...query);
      },
    }));
    const channel = openChannel(fresh.database, [message, ping]);
    const hotels = await Promise.all(Array.from({ length: MAX_PULLS + 1 }, () => channel.hotel()));
    const [last, ...first] = hotels.map(({ code }) => code);
    const answers = first.map((code) => channel.send(pull(code)));
    await full.promise;
    const large = channel.send(pull(last!, LARGE));
    assert.match((await channel.send('<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"/>')).text, /<Success\/>/);
    held.resolve();
    for (const { text } of await Promise.all([...answers, large])) assert.match(text, /<Success\/>/);
  } finally {
    held.resolve();
    await fresh.remove();
  }
});

function pull(hotel: string, length = 0): string {
  const plan = `<RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans>${" ".repeat(length)}`;
  return `<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${plan}</OTA_HotelRatePlanRQ>`;
}

/** The request, telling when its nights are read, and when its answer is made. */
function watched({ load, ...request }: HotelRequest, tell: (change: 1 | -1) => void): HotelRequest {
  return {
    ...request,
    async load(...query) {
      tell(1);
      const { decide, ...loaded } = await load!(...query);
      return {
        ...loaded,
        *decide(context) {
          const decision = yield* decide(context);
          tell(-1);
          return decision;
        },
      };
    },
  };
}
