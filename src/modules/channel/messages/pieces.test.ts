import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { after as afterTax, amountsLine, amountsMessage, rate } from "../../../../test/support/amounts.ts";
import { type Channel, openChannel } from "../../../../test/support/channel.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { tellingEnds, tellingPieces } from "../../../../test/support/pieces.ts";
import { doubles, message, nights, plan, rates, rule, rules, stay } from "../../../../test/support/rate-plans.ts";
import { messages } from "./index.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const LINES = 1_000;
const control = (night: number, more = "") => `<StatusApplicationControl ${nights(night, night)} InvTypeCode="DBL" ${more}/>`;
const lines = (line: (night: number) => string) => Array.from({ length: LINES }, (_, night) => line(night)).join("");

const SENT: Readonly<Record<string, (hotel: string) => string>> = {
  counts: (hotel) => {
    const all = lines((night) => `<Inventory>${control(night)}<InvCounts><InvCount CountType="2" Count="1"/></InvCounts></Inventory>`);
    return `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${all}</Inventories></OTA_HotelInvCountNotifRQ>`;
  },
  restrictions: (hotel) => {
    const all = lines((night) => `<AvailStatusMessage BookingLimit="1">${control(night)}</AvailStatusMessage>`);
    return `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${hotel}">${all}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
  },
  amounts: (hotel) =>
    amountsMessage(
      hotel,
      lines((night) => amountsLine(rate(afterTax(2, `${100 + (night % 2)}`)), undefined, nights(night, night))),
    ),
  "amounts of one line": (hotel) =>
    amountsMessage(
      hotel,
      amountsLine(
        lines((night) => rate(afterTax(2, `${100 + (night % 2)}`), nights(night, night))),
        undefined,
        "",
      ),
    ),
  "amounts of one line and night": (hotel) =>
    amountsMessage(
      hotel,
      amountsLine(
        lines((night) => rate(afterTax(2, `${100 + (night % 2)}`))),
        undefined,
        nights(1, 1),
      ),
    ),
  "base rates": (hotel) =>
    `<OTA_HotelRatePlanRQ ${NAMESPACE}><RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`,
  rates: (hotel) => message(hotel, plan("Overlay", rates(lines((night) => doubles(night, night, "90"))))),
  "rates, ten of a night": (hotel) => message(hotel, plan("Overlay", rates(lines((night) => doubles(night % 100, night % 100, "90"))))),
  rules: (hotel) => message(hotel, plan("Overlay", rules(lines((night) => rule(nights(night, night), stay("SetMinLOS", 2)))))),
};

describe("A message of many lines or nights", () => {
  let fresh: Awaited<ReturnType<typeof openFresh>>;
  let channel: Channel;
  let pieces = 0;
  let ends = 0;
  /** How many of them had passed in each turn of somebody else. */
  const turns = new Set<number>();
  let hotel: string;
  before(async () => {
    fresh = await openFresh("SQLite");
    channel = openChannel(
      fresh.database,
      messages.map((one) =>
        tellingEnds(
          tellingPieces(one, () => pieces++),
          () => {
            ends++;
            setImmediate(() => turns.add(ends));
          },
        ),
      ),
    );
    hotel = (await channel.hotel({ horizon_days: LINES })).code;
  });
  after(() => fresh.remove());

  for (const [what, xml] of Object.entries(SENT)) {
    test(`is decided in pieces: ${what}`, async () => {
      pieces = 0;
      assert.match((await channel.send(xml(hotel))).text, /<Success/);
      assert.ok(pieces >= LINES / 200, `${pieces} pieces`);
    });
  }

  for (const what of ["counts", "restrictions", "amounts"]) {
    test(`is checked in pieces, between which others have their turn: ${what}`, async () => {
      ends = 0;
      turns.clear();
      assert.match((await channel.send(SENT[what]!(hotel))).text, /<Success/);
      assert.ok(ends >= LINES / 200, `${ends} pieces`);
      assert.equal(turns.size, ends);
    });
  }
});
