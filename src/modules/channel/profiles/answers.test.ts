import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";
import { ADULT_CODE, amountAttribute } from "../../../calendar/amounts.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const message = (root: string, content: string) => `<${root} ${NAMESPACE}>${content}</${root}>`;
const query = (root: string, request: string, hotel: string) =>
  message(root, `<${request}s><${request}><HotelRef HotelCode="${hotel}"/></${request}></${request}s>`);
const nights = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;

/** Each query, a message that stores what it returns, and the list element of both. */
const QUERIES = [
  {
    name: "restrictions",
    ask: (hotel: string) => query("OTA_HotelAvailGetRQ", "HotelAvailRequest", hotel),
    push: "OTA_HotelAvailNotifRQ",
    list: "AvailStatusMessages",
    line: (dates: string) =>
      `<AvailStatusMessage><StatusApplicationControl InvTypeCode="DBL" RatePlanCode="BAR" ${dates}/><RestrictionStatus Restriction="Arrival" Status="Closed"/></AvailStatusMessage>`,
    lane: { kind: "rate", lane: "BAR" },
    column: "closedToArrival",
  },
  {
    name: "counts",
    ask: (hotel: string) => query("OTA_HotelInvCountRQ", "HotelInvCountRequest", hotel),
    push: "OTA_HotelInvCountNotifRQ",
    list: "Inventories",
    line: (dates: string) =>
      `<Inventory><StatusApplicationControl InvTypeCode="DBL" ${dates}/><InvCounts><InvCount CountType="2" Count="3"/></InvCounts></Inventory>`,
    lane: {},
    column: "available",
  },
  {
    name: "closing seasons",
    ask: (hotel: string) => query("OTA_HotelInvCountRQ", "HotelInvCountRequest", hotel),
    push: "OTA_HotelInvCountNotifRQ",
    list: "Inventories",
    line: (dates: string) => `<Inventory><StatusApplicationControl AllInvCode="true" ${dates}/></Inventory>`,
    lane: {},
    column: "closed",
  },
  {
    name: "amounts",
    ask: (hotel: string) => query("OTA_HotelRatePlanRQ", "RatePlan", hotel),
    push: "OTA_HotelRatePlanNotifRQ",
    list: "RatePlans",
    line: (dates: string) =>
      `<RatePlan RatePlanCode="BAR"><Rates><Rate InvTypeCode="DBL" ${dates}><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="80"/></BaseByGuestAmts></Rate></Rates></RatePlan>`,
    lane: { kind: "rate", lane: "BAR" },
    column: amountAttribute({ tax: "after", guests: 2, age: ADULT_CODE, nights: 1 }),
  },
] as const;

eachChannel("Responses to a sender with end=excluded and closedWord=Closed", (channel) => {
  for (const { name, ask, push, list, line, lane, column } of QUERIES) {
    test(`returns ${name} in a form that a sender with end=excluded and closedWord=Closed can send back`, async () => {
      const send = await channel.as({ preset: "standard", settings: { end: "excluded", closedWord: "Closed" } });
      const [from, to] = [await channel.hotel(), await channel.hotel()];
      const store = (hotel: string, lines: string) => send(message(push, `<${list} HotelCode="${hotel}">${lines}</${list}>`));
      const valuesOf = ({ night }: typeof from) => Promise.all([1, 2, 3, 4].map(async (date) => (await night(day(date), lane))[column]));
      assert.match((await store(from.code, line(nights(2, 4)))).text, /<Success\/><\//);
      const { text } = await send(ask(from.code));
      assert.match(text, new RegExp(nights(2, 4)));
      assert.match((await store(to.code, new RegExp(`<${list}[^>]*>(.*)</${list}>`).exec(text)![1]!)).text, /<Success\/>/);
      const [, second, third, fourth] = await valuesOf(from);
      assert.ok(second !== undefined && third === second && fourth === undefined, "two nights are stored");
      assert.deepEqual(await valuesOf(to), await valuesOf(from));
    });
  }
});
