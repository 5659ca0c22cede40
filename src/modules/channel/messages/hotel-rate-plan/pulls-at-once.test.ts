import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../../test/support/channel.ts";
import { openFresh } from "../../../../../test/support/databases.ts";
import { withRequests } from "../../../../../test/support/pieces.ts";
import { MAX_PULLS } from "../../limits.ts";
import type { HotelRequest } from "../../message.ts";
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

function pull(hotel: string): string {
  const plan = `<RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans>`;
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
