import assert from "node:assert/strict";
import { after as afterAll, before, describe, test } from "node:test";
import { type Channel, day, openChannel } from "../../../../test/support/channel.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { after, doubles, master, message, nights, plan, rate, rates, rule, rules } from "../../../../test/support/rate-plans.ts";
import { MANY_LINES } from "../limits.ts";
import type { HotelRequest, Message, MessageReader } from "../message.ts";
import { messages } from "../messages/index.ts";
import type { Pieces } from "../pieces.ts";

const NIGHTS = 1_100;
const LINES = MANY_LINES + 500;
/** Lines that are decided without a pause, at most: some milliseconds. */
const MOST = 400;
const ROOMS = 150;

const lines = (line: (index: number) => string, count = LINES) => Array.from({ length: count }, (_, index) => line(index)).join("");
const control = (index: number, more = "") => {
  const night = day(index % NIGHTS);
  return `<StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="DBL"${more}/>`;
};
const count = (index: number) =>
  `<Inventory>${control(index)}<InvCounts><InvCount CountType="2" Count="${index % 9}"/></InvCounts></Inventory>`;
const status = (index: number) => `<AvailStatusMessage>${control(index, ' RatePlanCode="BAR"')}${master("Close")}</AvailStatusMessage>`;
/** Another amount each night, under five plans. */
const amount = (index: number) => {
  const amounts = `<BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="${100 + (index % 2)}"/></BaseByGuestAmts>`;
  const which = control(index, ` RatePlanCode="P${Math.floor(index / NIGHTS)}"`);
  return `<RateAmountMessage>${which}<Rates><Rate>${amounts}</Rate></Rates></RateAmountMessage>`;
};
const nightly = (index: number) => doubles(index % NIGHTS, index % NIGHTS, `${90 + (index % 7)}`);
const booking = (index: number) => rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(index % NIGHTS, index % NIGHTS)}`, master("Open"));
const room = (index: number) =>
  `<GuestRoom Code="R${index}" MinOccupancy="1" MaxOccupancy="2"><TypeRoom StandardOccupancy="2" RoomClassificationCode="42"/></GuestRoom>`;

const document = (root: string, content: string) =>
  `<${root} xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${content}</${root}>`;

/** Documents of each kind, and how often at least others are let in while they are decided. */
const KINDS: { about: string; pauses: number; of(hotel: string): string }[] = [
  {
    about: "Counts",
    pauses: LINES / MOST,
    of: (hotel) => document("OTA_HotelInvCountNotifRQ", `<Inventories HotelCode="${hotel}">${lines(count)}</Inventories>`),
  },
  {
    about: "Restrictions",
    pauses: LINES / MOST,
    of: (hotel) => document("OTA_HotelAvailNotifRQ", `<AvailStatusMessages HotelCode="${hotel}">${lines(status)}</AvailStatusMessages>`),
  },
  {
    about: "Amounts",
    pauses: LINES / MOST,
    of: (hotel) => document("OTA_HotelRateAmountNotifRQ", `<RateAmountMessages HotelCode="${hotel}">${lines(amount)}</RateAmountMessages>`),
  },
  {
    about: "Amounts of a single line",
    pauses: LINES / MOST,
    of: (hotel) => {
      const dated = rates(lines((index) => rate(nights(index % NIGHTS, index % NIGHTS), after(2, `${90 + (index % 7)}`))));
      const line = `<RateAmountMessage><StatusApplicationControl InvTypeCode="DBL" RatePlanCode="BAR"/>${dated}</RateAmountMessage>`;
      return document("OTA_HotelRateAmountNotifRQ", `<RateAmountMessages HotelCode="${hotel}">${line}</RateAmountMessages>`);
    },
  },
  {
    about: "Rates of a plan",
    pauses: LINES / MOST,
    of: (hotel) => message(hotel, plan("Overlay", rates(lines(nightly)))),
  },
  {
    about: "Booking rules",
    pauses: LINES / MOST,
    of: (hotel) => message(hotel, plan("Overlay", rules(lines(booking)) + rates(doubles(0, 1, "80")))),
  },
  {
    about: "Room types",
    pauses: 2 * ROOMS,
    of: (hotel) =>
      document(
        "OTA_HotelDescriptiveContentNotifRQ",
        `<HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}"><FacilityInfo><GuestRooms>${lines(room, ROOMS)}</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents>`,
      ),
  },
  {
    about: "Answers to pulls of the amounts",
    pauses: LINES / MOST,
    of: (hotel) => document("OTA_HotelRatePlanRQ", `<RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans>`),
  },
];

describe("Of messages of many lines", () => {
  let fresh: Awaited<ReturnType<typeof openFresh>>;
  let channel: Channel;
  let hotel: string;
  let pauses = 0;
  before(async () => {
    fresh = await openFresh("SQLite");
    const watched = messages.map((one) => watchedMessage(one, () => pauses++));
    channel = openChannel(fresh.database, watched);
    hotel = (await channel.hotel({ horizon_days: NIGHTS })).code;
  });
  afterAll(() => fresh.remove());

  for (const { about, pauses: least, of } of KINDS) {
    test(`${about} are decided in pieces`, async () => {
      pauses = 0;
      const { text } = await channel.send(of(hotel));
      assert.match(text, /<Success\/>/, text.slice(0, 500));
      assert.ok(pauses >= least, `${pauses} pauses`);
    });
  }
});

/** A real message, which tells of each pause of its decisions. */
function watchedMessage(real: Message, tell: () => void): Message {
  return {
    ...real,
    read(context) {
      const reader: MessageReader = real.read(context);
      return {
        open: (...element) => reader.open(...element),
        close: (...element) => reader.close(...element),
        text: (text) => reader.text(text),
        finish() {
          const request = reader.finish();
          return request.kind === "hotel" ? watchedRequest(request, tell) : request;
        },
      };
    },
  };
}

function watchedRequest(request: HotelRequest, tell: () => void): HotelRequest {
  const { decide, load } = request;
  const watched =
    (one: HotelRequest["decide"]): HotelRequest["decide"] =>
    (context) =>
      tellPauses(one(context), tell);
  if (!load) return { ...request, decide: watched(decide) };
  return {
    ...request,
    decide: watched(decide),
    async load(...query) {
      const loaded = await load(...query);
      return { ...loaded, decide: watched(loaded.decide) };
    },
  };
}

function* tellPauses<T>(work: Pieces<T>, tell: () => void): Pieces<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield tell();
  }
}
