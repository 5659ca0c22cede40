import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";
import { ADULT_CODE, amountAttribute } from "../../../calendar/amounts.ts";
import type { ProfileSettings } from "./knobs.ts";

const OTA = "http://www.opentravel.org/OTA/2003/05";
type Root = { hotel?: string; namespace?: string; head?: string };

const avail = (lines: string, { hotel = "", namespace = OTA }: Root = {}) =>
  `<OTA_HotelAvailNotifRQ xmlns="${namespace}"><AvailStatusMessages ${hotel}>${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const line = (control: string, content = "", limit = "") =>
  `<AvailStatusMessage ${limit}><StatusApplicationControl ${control}/>${content}</AvailStatusMessage>`;
const rates = (lines: string, { hotel = "", head = "" }: Root = {}) =>
  `<OTA_HotelRateAmountNotifRQ xmlns="${OTA}">${head}<RateAmountMessages ${hotel}>${lines}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
const rate = (control: string, amount: number, dates = "") =>
  `<RateAmountMessage><StatusApplicationControl ${control}/><Rates><Rate ${dates}><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="${amount}.00"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
const nights = (first: number, last: number) => `Start="${day(first)}" End="${day(last)}"`;
const close = '<RestrictionStatus Status="Close"/>';
const stay = (type: string, time: string) =>
  `<LengthsOfStay><LengthOfStay MinMaxMessageType="${type}" Time="${time}" TimeUnit="Day"/></LengthsOfStay>`;
const bar = 'InvTypeCode="DBL" RatePlanCode="BAR"';
const PLAN = { kind: "rate", lane: "BAR" } as const;
/** The room's amount, after tax. */
const ROOM = amountAttribute({ tax: "after", guests: 0, age: ADULT_CODE, nights: 1 });
const SUCCESS = /<Success\/><\//;

const withSettings = (settings: Partial<ProfileSettings>) => ({ preset: "standard", settings });

eachChannel("The channel with a profile for dates, codes and words", (channel) => {
  test("reads an exclusive End as the day after the last night, both in lines and in rates", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({ end: "excluded" }), [code]);
    const hotel = `HotelCode="${code}"`;
    assert.match((await send(avail(line(`${nights(1, 3)} ${bar}`, close), { hotel }))).text, SUCCESS);
    assert.match((await send(rates(rate(bar, 90, nights(1, 2)), { hotel }))).text, SUCCESS);
    const seen = await Promise.all([1, 2, 3].map(async (at) => night(day(at), PLAN)));
    assert.deepEqual(
      seen.map(({ stopSell, currency }) => [stopSell, currency]),
      [
        [1, "EUR"],
        [1, undefined],
        [undefined, undefined],
      ],
    );
  });

  test("accepts a time of day and a time zone in an exclusive End", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({ end: "excluded" }), [code]);
    const control = `Start="${day(1)}T00:00:00" End="${day(2)}T00:00:00Z" ${bar}`;
    await send(avail(line(control, close), { hotel: `HotelCode="${code}"` }));
    assert.deepEqual([(await night(day(1), PLAN)).stopSell, await night(day(2), PLAN)], [1, {}]);
  });

  test("refuses an exclusive End on the same day as Start", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({ end: "excluded" }), [code]);
    const { text } = await send(avail(line(`${nights(1, 1)} ${bar}`, close), { hotel: `HotelCode="${code}"` }));
    assert.match(
      text,
      new RegExp(
        `Start="${day(1)}" End="${day(1)}" contains no night, because the sender's setting is end=excluded`.replaceAll('"', '(?:"|&quot;)'),
      ),
    );
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("reads Ctrip 2.x products as categories and RatePlanCategory as the plan", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as({ preset: "ctrip-2", settings: {} }, [code]);
    const hotel = `HotelCode="${code}"`;
    const product = 'RatePlanCode="DBL" RatePlanCategory="501"';
    await send(rates(rate(`${nights(1, 1)} ${product}`, 90), { hotel }));
    await send(avail(line(`${nights(1, 1)} ${product}`, close), { hotel }));
    await send(avail(line(`${nights(1, 1)} RatePlanCode="DBL"`, "", 'BookingLimit="4"'), { hotel }));
    const { stopSell, currency } = await night(day(1), { kind: "rate", lane: "501" });
    assert.deepEqual([stopSell, currency, (await night(day(1), {})).available], [1, "EUR", 4]);
    for (const lane of ["DBL", ""]) assert.deepEqual(await night(day(1), { kind: "rate", lane }), {});
    for (const kind of ["rate", "inventory"] as const) assert.deepEqual(await night(day(1), { kind, category: "SGL", lane: "" }), {});
    const { text } = await send(avail(line(`${nights(1, 1)} RatePlanCode="TWN" RatePlanCategory="501"`, close), { hotel }));
    assert.match(text, /Room type code not found for this hotel \(TWN\)/);
  });

  test("refuses a RatePlan from a Ctrip 2.x sender because it has no category", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as({ preset: "ctrip-2", settings: {} }, [code]);
    const plan = `<RatePlan RatePlanCode="DBL" RatePlanCategory="501"><Rates><Rate ${nights(1, 1)}><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts></Rate></Rates></RatePlan>`;
    const message = `<OTA_HotelRatePlanNotifRQ xmlns="${OTA}"><RatePlans HotelCode="${code}">${plan}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
    assert.match((await send(message)).text, /<Error [^>]*Code="320"[^>]*>A RatePlan has no category/);
    for (const lane of ["DBL", "501"]) assert.deepEqual(await night(day(1), { kind: "rate", lane }), {});
  });

  test("reads Closed as Close only if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const [standard, cubilis] = [await channel.as(withSettings({})), await channel.as(withSettings({ closedWord: "Closed" }))];
    const message = avail(line(`${nights(1, 1)} ${bar}`, '<RestrictionStatus Status="closed"/>'), { hotel: `HotelCode="${code}"` });
    assert.match((await standard(message)).text, /Invalid value &quot;closed&quot; for Status|Invalid value "closed" for Status/);
    assert.deepEqual(await night(day(1), PLAN), {});
    assert.match((await cubilis(message)).text, SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });

  test("reads a foreign namespace only if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const [standard, despegar] = [await channel.as(withSettings({})), await channel.as({ preset: "despegar", settings: {} })];
    const message = avail(line(`${nights(1, 1)} ${bar}`, close), { hotel: `HotelCode="${code}"`, namespace: "http://example.com/hotels" });
    assert.match((await standard(message)).text, /Unexpected namespace http:\/\/example.com\/hotels/);
    assert.deepEqual(await night(day(1), PLAN), {});
    for (const transport of ["raw", "soap11"] as const) assert.match((await despegar(message, { transport })).text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });
});

eachChannel("The channel with a profile for limits", (channel) => {
  test('removes only limits whose value means "no limit"', async () => {
    const { code, night } = await channel.hotel();
    const settings = { noMinStay: ["-1"], noMaxStay: ["999"], noMinAdvance: ["-P7D"], noMaxAdvance: ["P23988D", "-1"] };
    const send = await channel.as(withSettings(settings), [code]);
    const update = async (...contents: readonly string[]) => {
      const lines = contents.map((content) => line(`${nights(1, 1)} ${bar}`, content)).join("");
      return (await send(avail(lines, { hotel: `HotelCode="${code}"` }))).text;
    };
    const window = (min: string, max: string) => `<RestrictionStatus MinAdvancedBookingOffset="${min}" MaxAdvancedBookingOffset="${max}"/>`;
    assert.match(
      await update(stay("SetMinLOS", "3"), stay("SetMaxLOS", "9"), stay("SetForwardMinStay", "4"), window("P2D", "30")),
      SUCCESS,
    );
    const all = { minStayArrival: 3, maxStayArrival: 9, minStayThrough: 4, minAdvance: 2, maxAdvance: 30 };
    assert.deepEqual(await night(day(1), PLAN), all);
    assert.match(await update(stay("SetForwardMinStay", "-1"), window("P1D", "P23988D")), SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3, maxStayArrival: 9, minAdvance: 1 });
    assert.match(await update(stay("SetMinLOS", "-1"), stay("SetMaxLOS", "999"), window("-P7D", " -1 ")), SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test('refuses or stores values such as -1 and 999 unless a setting says that they mean "no limit"', async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({ noMaxStay: ["999"] }), [code]);
    const hotel = `HotelCode="${code}"`;
    const content = (control: string) => line(`${nights(1, 1)} ${bar}`, control);
    assert.match((await send(avail(content(stay("SetMinLOS", "-1")), { hotel }))).text, /for Time/);
    const offset = '<RestrictionStatus MinAdvancedBookingOffset="-P7D"/>';
    assert.match((await send(avail(content(offset), { hotel }))).text, /for MinAdvancedBookingOffset/);
    await send(avail(content(stay("SetMinLOS", "999")), { hotel }));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 999 });
  });
});

eachChannel("The channel with a profile for prices", (channel) => {
  test("reads BestAvailableRate as the room's price if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({ price: "BestAvailableRate" }), [code]);
    const best = '<BestAvailableRates><BestAvailableRate Amount="89.50" CurrencyCode="EUR"/></BestAvailableRates>';
    const hotel = `HotelCode="${code}"`;
    const { text } = await send(avail(line(`${nights(1, 1)} ${bar}`, `${best}${close}`, 'BookingLimit="3"'), { hotel }));
    assert.match(text, SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1, currency: "EUR", [ROOM]: 8950 });
    assert.equal((await night(day(1), {})).available, 3);
    const wrong = '<BestAvailableRate Amount="cheap"/>';
    assert.match((await send(avail(line(`${nights(1, 1)} ${bar}`, wrong), { hotel }))).text, /Invalid value .*cheap.* for Amount/);
    assert.match(
      (await send(avail(line(`${nights(1, 1)} ${bar}`, "<BestAvailableRate/>"), { hotel }))).text,
      /Amount of BestAvailableRate/,
    );
    assert.equal((await night(day(1), PLAN))[ROOM], 8950);
  });

  test("ignores BestAvailableRate unless the profile says otherwise", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({}), [code]);
    await send(avail(line(`${nights(1, 1)} ${bar}`, `<BestAvailableRate Amount="89.50"/>${close}`), { hotel: `HotelCode="${code}"` }));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });

  test("replaces all amounts for a category and plan from a SynXis message's first night to its last", async () => {
    const { code, night } = await channel.hotel();
    const hotel = `HotelCode="${code}"`;
    const send = await channel.as({ preset: "synxis", settings: {} }, [code]);
    await send(rates(rate(`${nights(1, 6)} RatePlanCode="BAR"`, 90) + rate(`${nights(1, 6)} RatePlanCode="FLEX"`, 70), { hotel }));
    const text = (await send(rates(rate(bar, 100, nights(2, 2)) + rate(bar, 110, nights(5, 5)), { hotel }))).text;
    assert.match(text, SUCCESS);
    const amounts = async (category: string, lane: string) =>
      Promise.all([1, 2, 3, 4, 5, 6].map(async (at) => (await night(day(at), { kind: "rate", category, lane }))[ROOM]));
    assert.deepEqual(await amounts("DBL", "BAR"), [9000, 10000, undefined, undefined, 11000, 9000]);
    assert.deepEqual(await amounts("SGL", "BAR"), Array(6).fill(9000));
    assert.deepEqual(await amounts("DBL", "FLEX"), Array(6).fill(7000));
  });

  test("changes only the nights in a SynXis DeltaLoad or Delta", async () => {
    const { code, night } = await channel.hotel();
    const hotel = `HotelCode="${code}"`;
    const send = await channel.as({ preset: "synxis", settings: {} }, [code]);
    await send(rates(rate(`${nights(1, 3)} ${bar}`, 90), { hotel }));
    const ends = rate(bar, 100, nights(1, 1)) + rate(bar, 100, nights(3, 3));
    await send(rates(ends, { hotel, head: '<UniqueID Type="16" ID="1" Instance="DeltaLoad"/>' }));
    await send(rates(ends, { hotel }).replace("<OTA_HotelRateAmountNotifRQ", '<OTA_HotelRateAmountNotifRQ NotifType="Delta"'));
    assert.equal((await night(day(2), PLAN))[ROOM], 9000);
    assert.equal((await night(day(3), PLAN))[ROOM], 10000);
  });

  test("changes only the nights in a rate message from a sender without the SynXis profile", async () => {
    const { code, night } = await channel.hotel();
    const hotel = `HotelCode="${code}"`;
    const send = await channel.as(withSettings({}), [code]);
    await send(rates(rate(`${nights(1, 3)} ${bar}`, 90), { hotel }));
    await send(rates(rate(bar, 100, nights(1, 1)) + rate(bar, 100, nights(3, 3)), { hotel }));
    assert.equal((await night(day(2), PLAN))[ROOM], 9000);
  });
});

eachChannel("The channel with a profile for property codes", (channel) => {
  const message = (hotel: string) => avail(line(`${nights(1, 1)} ${bar}`, close), { hotel });

  test("finds the property without a code if the sender can access only one", async () => {
    const { code, night } = await channel.hotel();
    const other = await channel.hotel();
    const send = await channel.as(withSettings({}), [code]);
    assert.match((await send(message(""))).text, SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
    assert.deepEqual(await other.night(day(1), PLAN), {});
    assert.match((await send(message(`HotelCode="${other.code}"`))).text, /You do not have access to hotel/);
    assert.match((await send(message('HotelName="Elsewhere"'))).text, /exactly one active property must have HotelName/);
  });

  test("requires a property code from senders with access to several or all properties", async () => {
    const { code, night } = await channel.hotel();
    const other = await channel.hotel();
    for (const scope of [[code, other.code], undefined]) {
      const send = await channel.as(withSettings({}), scope);
      assert.match((await send(message(""))).text, /Required field missing: HotelCode/);
    }
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("finds the property by the sender's credentials and ignores HotelCode if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const other = await channel.hotel();
    const settings = { hotelCode: "credential" } as const;
    const send = await channel.as(withSettings(settings), [code]);
    assert.match((await send(message(`HotelCode="${other.code}"`))).text, SUCCESS);
    assert.deepEqual([await night(day(1), PLAN), await other.night(day(1), PLAN)], [{ stopSell: 1 }, {}]);
    const wide = await channel.as(withSettings(settings));
    assert.match(
      (await wide(message(`HotelCode="${other.code}"`))).text,
      /HotelCode \(the sender must have access to exactly one property\)/,
    );
    assert.deepEqual(await other.night(day(1), PLAN), {});
  });

  test("finds the property by BrandCode if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const other = await channel.hotel();
    const send = await channel.as({ preset: "bookvisit", settings: {} }, [code]);
    assert.match((await send(message(`HotelCode="999" BrandCode="${code}"`))).text, SUCCESS);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
    assert.match((await send(message(`BrandCode="${other.code}"`))).text, /You do not have access to hotel/);
    assert.deepEqual(await other.night(day(1), PLAN), {});
  });

  test("still requires HotelCode in AlpineBits versions that require it", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(withSettings({}), [code]);
    const counts = `<OTA_HotelInvCountNotifRQ xmlns="${OTA}" Version="4.000"><UniqueID Type="16" ID="1" Instance="CompleteSet"/><Inventories><Inventory><StatusApplicationControl ${nights(1, 1)} InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="1"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
    const { text } = await send(counts, { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms", version: "2024-10" });
    assert.match(text, /Required field missing: HotelCode/);
    assert.deepEqual(await night(day(1), {}), {});
  });
});
