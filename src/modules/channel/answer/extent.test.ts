import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Channel, day, NOON, openChannel } from "../../../../test/support/channel.ts";
import { assertScans } from "../../../../test/support/cpu.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { createHotel } from "../../../cli/conformance/store.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const repeat = (times: number, line: (index: number) => string) => Array.from({ length: times }, (_, index) => line(index)).join("");
const inventories = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const year = (control: string) => `<StatusApplicationControl Start="${day(1)}" End="${day(365)}" ${control}/>`;

describe("Limits on what one message may set", () => {
  let fresh: Awaited<ReturnType<typeof openFresh>>;
  let channel: Channel;
  let hotel: string;
  before(async () => {
    fresh = await openFresh("SQLite");
    channel = openChannel(fresh.database);
    hotel = (await channel.hotel()).code;
  });

  after(() => fresh.remove());

  async function isRefused(xml: string, text: RegExp): Promise<void> {
    const { status, text: answer, receipt } = await channel.send(xml);
    assert.equal(status, 200);
    assert.match(answer, /<Errors><Error Type="12" Code="743"/);
    assert.match(answer, text);
    assert.equal(answer.match(/<Error /g)?.length, 1);
    assert.equal(receipt!.changedNights, 0);
  }

  test("refuses a message that sets too many values across its nights", async () => {
    const count = '<InvCounts><InvCount CountType="2" Count="1"/></InvCounts>';
    const lines = (times: number) => repeat(times, () => `<Inventory>${year('InvTypeCode="DBL"')}${count}</Inventory>`);
    await isRefused(inventories(hotel, lines(45_000)), /sets more than 30000000 values/);
    const { text } = await channel.send(inventories(hotel, lines(1_000)));
    assert.match(text, /<Success\/>/);
  });

  test("refuses a message with too many lines that apply to all categories", async () => {
    const wide = "WIDE";
    const categories = Array.from({ length: 20 }, (_, index) => `C${index}`);
    await createHotel(channel.database, { code: wide, name: wide, currency: "EUR", categories }, NOON);
    const closings = (times: number) => repeat(times, () => `<Inventory>${year('AllInvCode="1"')}</Inventory>`);
    await isRefused(inventories(wide, closings(5_001)), /too many lines for all categories/);
    const { text } = await channel.send(inventories(wide, closings(500)));
    assert.match(text, /<Success\/>/);
    const rules = repeat(5_001, () => `<BookingRule Start="${day(1)}" End="${day(2)}" MinAdvancedBookingOffset="1"/>`);
    const plan = `<RatePlan RatePlanCode="BAR"><BookingRules>${rules}</BookingRules></RatePlan>`;
    const plans = `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${wide}">${plan}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
    await isRefused(plans, /too many lines for all categories/);
    const products = `<SellableProducts>${repeat(20, (index) => `<SellableProduct InvCode="C${index}"/>`)}</SellableProducts>`;
    await isRefused(plans.replace("</RatePlan>", `${products}</RatePlan>`), /too many lines for all categories/);
  });

  test("counts a line for all categories only once towards the limit, even if it has several rates", async () => {
    const wide = "BROAD";
    const categories = Array.from({ length: 200 }, (_, index) => `C${index}`);
    await createHotel(channel.database, { code: wide, name: wide, currency: "EUR", categories }, NOON);
    const rates = repeat(501, (index) => {
      const night = day(1 + (index % 300));
      const amount = `<BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="${1 + Math.floor(index / 300)}" AmountAfterTax="9"/></BaseByGuestAmts>`;
      return `<Rate Start="${night}" End="${day(1 + (index % 300) + Math.floor(index / 300))}">${amount}</Rate>`;
    });
    const line = `<RateAmountMessage><StatusApplicationControl RatePlanCode="BAR"/><Rates>${rates}</Rates></RateAmountMessage>`;
    const message = `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${wide}">${line}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    const { text } = await channel.send(message);
    assert.match(text, /<Success\/>/);
  });

  test("refuses a message that sets and removes a rate plan too many times, unless the plan stays empty", async () => {
    const turning = "TURNING";
    const categories = Array.from({ length: 20 }, (_, index) => `C${index}`);
    await createHotel(channel.database, { code: turning, name: turning, currency: "EUR", categories }, NOON);
    const plan = (type: string, rules: string) => `<RatePlan RatePlanCode="BAR" RatePlanNotifType="${type}">${rules}</RatePlan>`;
    const rule = `<BookingRule Start="${day(1)}" End="${day(1)}" CodeContext="ROOMTYPE" Code="C1" MinAdvancedBookingOffset="1"/>`;
    const set = plan("New", `<BookingRules>${rule}</BookingRules>`);
    const removed = plan("Remove", "");
    const plans = (content: string) =>
      `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${turning}">${content}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
    await isRefused(plans((set + removed).repeat(5_003)), /too many lines for all categories/);
    assert.match((await channel.send(plans(set))).text, /<Success\/>/);
    const { text, receipt } = await channel.send(plans(removed.repeat(10_000) + plan("New", "").repeat(10_000) + set));
    assert.match(text, /<Success\/>/);
    assert.equal(receipt!.changedNights, 0);
  });

  test("refuses a message that sets too many amounts for one night", async () => {
    const rate = (nights: number) => {
      const amounts = repeat(99, (guests) => `<BaseByGuestAmt NumberOfGuests="${guests + 1}" AmountAfterTax="1"/>`);
      return `<Rate UnitMultiplier="${nights + 1}"><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate>`;
    };
    const control = year('InvTypeCode="DBL" RatePlanCode="BAR"');
    await isRefused(
      `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}"><RateAmountMessage>${control}<Rates>${repeat(26, rate)}</Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`,
      /sets more than 2500 amounts for one night/,
    );
  });

  test("refuses a message that adds too many rate plans but accepts one that updates existing plans", async () => {
    const { code } = await channel.hotel();
    const close = (plan: string) =>
      `<AvailStatusMessage>${year(`InvTypeCode="DBL" RatePlanCode="${plan}"`)}<RestrictionStatus Status="Close"/></AvailStatusMessage>`;
    const availability = (lines: string) =>
      `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    const named = (times: number) => availability(repeat(times, (index) => close(`P${index}`)));
    await isRefused(named(2_001), /would give the property more than 2000 rate plans/);
    assert.match((await channel.send(named(2_000))).text, /<Success\/>/);
    await isRefused(availability(close("ONE MORE")), /would give the property more than 2000 rate plans/);
    assert.match((await channel.send(availability(close("P7")))).text, /<Success\/>/);
  });

  test("refuses a message that adds too many categories but accepts one that updates existing categories", async () => {
    const { code } = await channel.hotel();
    const room = (index: number) =>
      `<GuestRoom Code="C${index}" MinOccupancy="1" MaxOccupancy="2"><TypeRoom StandardOccupancy="2"/></GuestRoom>`;
    const rooms = (times: number) =>
      `<OTA_HotelDescriptiveContentNotifRQ ${NAMESPACE}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${code}"><FacilityInfo><GuestRooms>${repeat(times, room)}</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
    await isRefused(rooms(1_001), /would give the property more than 1000 categories/);
    assert.match((await channel.send(rooms(900))).text, /<Success\/>/);
    const [first] = await channel.database.read.selectFrom("category").selectAll().where("property", "=", code).execute();
    const made = Array.from({ length: 200 }, (_, index) => ({ ...first!, code: `MADE${index}` }));
    await channel.database.write.insertInto("category").values(made).execute();
    await isRefused(rooms(901), /would give the property more than 1000 categories/);
    const { text } = await channel.send(rooms(900).replaceAll('MaxOccupancy="2"', 'MaxOccupancy="3"'));
    assert.match(text, /<Success\/>/, "existing categories may be updated, however many there are");
  });

  test("refuses overlong rate plan details in linear time", async () => {
    const supplement = (index: number) => `<Supplement InvType="EXTRA" InvCode="S${index}" Amount="5"/>`;
    const describing = (times: number) =>
      `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${hotel}"><RatePlan RatePlanCode="BAR"><Supplements>${repeat(times, supplement)}</Supplements></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`;
    const tooMuch = describing(100_000);
    await assertScans(tooMuch.length, 500, () => isRefused(tooMuch, /describes a rate plan in more than 1000000 characters/));
    assert.match((await channel.send(describing(1_000))).text, /<Success\/>/);
  });
});
