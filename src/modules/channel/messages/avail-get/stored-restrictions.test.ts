import assert from "node:assert/strict";
import { test } from "node:test";
import { type Channel, day, eachChannel, type Lane } from "../../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const ask = (hotel: string, ...filters: string[]) =>
  `<OTA_HotelAvailGetRQ ${NAMESPACE}><HotelAvailRequests>${(filters.length === 0 ? [""] : filters)
    .map((filter) => `<HotelAvailRequest>${filter}<HotelRef HotelCode="${hotel}"/></HotelAvailRequest>`)
    .join("")}</HotelAvailRequests></OTA_HotelAvailGetRQ>`;
const store = (hotel: string, lines: string) =>
  `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${hotel}">${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const line = (control: string, parts: string, limit = "") =>
  `<AvailStatusMessage${limit}><StatusApplicationControl ${control}/>${parts}</AvailStatusMessage>`;
const nights = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;
const range = (from: number, to: number) => `<DateRange ${nights(from, to)}/>`;
const plan = (code: string) => `<RatePlanCandidates><RatePlanCandidate RatePlanCode="${code}"/></RatePlanCandidates>`;
const category = (code: string) => `<RoomTypeCandidates><RoomTypeCandidate RoomTypeCode="${code}"/></RoomTypeCandidates>`;
const listIn = (text: string) => /<AvailStatusMessages[^>]*>(.*)<\/AvailStatusMessages>/.exec(text)?.[1];
const controlsIn = (text: string) => [...text.matchAll(/<StatusApplicationControl ([^>]*)\/>/g)].map(([, control]) => control!);

const RATE = 'InvTypeCode="DBL" RatePlanCode="BAR"';
const BAR = { kind: "rate", lane: "BAR" } as const;
const CLOSE = '<RestrictionStatus Restriction="Master" Status="Close"/>';
const STAYS = `<LengthsOfStay>${["SetMinLOS", "SetMaxLOS", "SetForwardMinStay", "SetForwardMaxStay"]
  .map((type, index) => `<LengthOfStay MinMaxMessageType="${type}" Time="${index + 3}" TimeUnit="Day"/>`)
  .join("")}<LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="NNYYY"/></LengthOfStay></LengthsOfStay>`;
const EVERYTHING = `${STAYS}<RestrictionStatus Status="Open" Restriction="Master" MinAdvancedBookingOffset="P2D" MaxAdvancedBookingOffset="P60D"/><RestrictionStatus Restriction="Arrival" Status="Close"/><RestrictionStatus Restriction="Departure" Status="Open"/>`;

const withoutSetters = (night: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(night).filter(([name]) => !name.startsWith("setter:")));

/** Sends one hotel's restrictions to another hotel and compares their nights. */
async function assertSame(channel: Channel, from: Awaited<ReturnType<Channel["hotel"]>>, lanes: readonly Lane[]): Promise<void> {
  const other = await channel.hotel();
  const { text } = await channel.send(ask(from.code));
  const sent = await channel.send(store(other.code, listIn(text)!));
  assert.match(sent.text, /<Success\/><\//, "without warnings");
  for (const lane of lanes)
    for (let date = 0; date < 12; date++)
      assert.deepEqual(withoutSetters(await other.night(day(date), lane)), withoutSetters(await from.night(day(date), lane)), `${date}`);
}

eachChannel("A query for restrictions", (channel) => {
  test("returns restrictions in a form that can be sent back", async () => {
    const hotel = await channel.hotel();
    const lines = [
      line(`${RATE} ${nights(0, 9)}`, EVERYTHING),
      line(`${RATE} ${nights(3, 3)}`, '<RestrictionStatus Restriction="Departure" Status="Close"/>'),
      line(`InvTypeCode="SGL" ${nights(2, 4)}`, CLOSE),
      line(`InvTypeCode="SGL" ${nights(0, 9)}`, "", ' BookingLimit="7" BookingThreshold="2"'),
      line(`InvTypeCode="DBL" ${nights(5, 5)}`, "", ' BookingLimit="0"'),
    ];
    await channel.send(store(hotel.code, lines.join("")));
    await assertSame(channel, hotel, [BAR, { kind: "rate", category: "SGL" }, { category: "SGL" }, {}]);
    const stored = await hotel.night(day(3), BAR);
    assert.deepEqual(
      [stored["minStayArrival"], stored["maxStayThrough"], stored["pattern"], stored["closedToDeparture"]],
      [3, 6, "NNYYY", 1],
    );
  });

  test("merges consecutive nights with the same restriction into one line", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`${RATE} ${nights(0, 9)}`, CLOSE) + line(`${RATE} ${nights(10, 99)}`, CLOSE)));
    await channel.send(store(code, line(`${RATE} ${nights(5, 6)}`, '<RestrictionStatus Restriction="Arrival" Status="Close"/>')));
    const { text } = await channel.send(ask(code));
    const status = (restriction: string) => `<RestrictionStatus Restriction="${restriction}" Status="Close"/>`;
    const returned = (from: number, to: number) => `<StatusApplicationControl ${nights(from, to)} InvTypeCode="DBL" RatePlanCode="BAR"/>`;
    const expected = [returned(0, 99) + status("Master"), returned(5, 6) + status("Arrival")];
    assert.equal(listIn(text), expected.map((content) => `<AvailStatusMessage>${content}</AvailStatusMessage>`).join(""));
    assert.match(text, /<OTA_HotelAvailGetRS [^>]*><Success\/><AvailStatusMessages HotelCode="[^"]+" HotelName="Hotel">/);
  });

  test("returns only the requested nights, plans and categories", async () => {
    const { code } = await channel.hotel();
    const lines = ["BAR", "NRF"].map((name) => line(`RatePlanCode="${name}" ${nights(0, 20)}`, CLOSE)).join("");
    await channel.send(store(code, lines + line(`InvTypeCode="DBL" ${nights(0, 20)}`, CLOSE, ' BookingLimit="3"')));
    const asked = async (...filters: string[]) => controlsIn((await channel.send(ask(code, ...filters))).text);
    const returned = (from: number, to: number, more: string) => `${nights(from, to)} ${more}`;
    assert.deepEqual(await asked(range(3, 4) + plan("NRF") + category("DBL")), [returned(3, 4, 'InvTypeCode="DBL" RatePlanCode="NRF"')]);
    assert.deepEqual(await asked(range(3, 4) + plan("BAR")), [
      returned(3, 4, 'InvTypeCode="DBL" RatePlanCode="BAR"'),
      returned(3, 4, 'InvTypeCode="SGL" RatePlanCode="BAR"'),
    ]);
    assert.deepEqual(await asked(range(1, 1) + plan("BAR") + category("SGL"), range(8, 8) + plan("NRF") + category("SGL")), [
      returned(1, 1, 'InvTypeCode="SGL" RatePlanCode="BAR"'),
      returned(8, 8, 'InvTypeCode="SGL" RatePlanCode="NRF"'),
    ]);
    assert.deepEqual(await asked(range(2, 2) + category("DBL")), [
      returned(2, 2, 'InvTypeCode="DBL"'),
      returned(2, 2, 'InvTypeCode="DBL"'),
      returned(2, 2, 'InvTypeCode="DBL" RatePlanCode="BAR"'),
      returned(2, 2, 'InvTypeCode="DBL" RatePlanCode="NRF"'),
    ]);
    assert.deepEqual(await asked(range(30, 40)), []);
    assert.deepEqual(await asked(plan("NONE")), []);
    const { text } = await channel.send(
      ask(code, range(0, 0)).replaceAll("<HotelAvailRequest>", '<HotelAvailRequest SendBookingLimit="false">'),
    );
    assert.doesNotMatch(text, /BookingLimit=/);
  });

  test("omits allotments from the returned restrictions and adds a warning", async () => {
    const { code } = await channel.hotel();
    const limit = (name: string, rooms: number) =>
      line(`InvTypeCode="DBL" RatePlanCode="${name}" ${nights(0, 1)}`, "", ` BookingLimit="${rooms}"`);
    await channel.send(store(code, limit("BAR", 5) + limit("NRF", 0)));
    const { text } = await channel.send(ask(code));
    assert.deepEqual(controlsIn(text), []);
    assert.match(
      text,
      /<Warnings><Warning [^>]*>not included: rate plan allotments; OTA_HotelInvCountRQ returns them<\/Warning><\/Warnings>/,
    );
    for (const xml of [ask(code, range(2, 9)), ask(code).replace("<HotelAvailRequest>", '<HotelAvailRequest SendBookingLimit="false">')])
      assert.doesNotMatch((await channel.send(xml)).text, /Warning/);
  });

  test("omits removed plans and inactive categories", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`RatePlanCode="BAR" ${nights(0, 2)}`, CLOSE) + line(`RatePlanCode="OLD" ${nights(0, 2)}`, CLOSE)));
    await channel.send(
      `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${code}"><RatePlan RatePlanNotifType="Remove" RatePlanCode="OLD"/></RatePlans></OTA_HotelRatePlanNotifRQ>`,
    );
    await channel.database.write
      .updateTable("category")
      .set({ status: "inactive" })
      .where("property", "=", code)
      .where("code", "=", "SGL")
      .execute();
    const { text } = await channel.send(ask(code));
    assert.deepEqual(controlsIn(text), [`${nights(0, 2)} InvTypeCode="DBL" RatePlanCode="BAR"`]);
    assert.match((await channel.send(ask(code, category("SGL")))).text, /Code="731"/);
    assert.match((await channel.send(ask(code, category("XXX")))).text, /Code="402"/);
  });

  test("warns about unsupported filters", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, line(`${RATE} ${nights(0, 2)}`, CLOSE)));
    const { text } = await channel.send(ask(code, "<HurdleRateCandidates><HurdleRateCandidate/></HurdleRateCandidates>"));
    assert.match(
      text,
      /<Success\/><Warnings><Warning [^>]*>HurdleRateCandidates was ignored and does not limit this response<\/Warning><\/Warnings>/,
    );
    assert.equal(controlsIn(text).length, 1);
  });

  test("refuses requests with missing codes or reversed dates", async () => {
    const { code } = await channel.hotel();
    const error = async (xml: string) => /<Error [^>]*>([^<]+)</.exec((await channel.send(xml)).text)?.[1];
    assert.equal(await error(ask(code, range(4, 1))), `Invalid start/end date combination: ${day(4)} &gt; ${day(1)}`);
    assert.equal(await error(ask(code, category(""))), "Required field missing: RoomTypeCode");
    assert.equal(await error(ask(code, plan(""))), "Required field missing: RatePlanCode");
    const none = `<OTA_HotelAvailGetRQ ${NAMESPACE}><HotelAvailRequests/></OTA_HotelAvailGetRQ>`;
    assert.match((await channel.send(none)).text, /Required field missing: HotelAvailRequest</);
  });
});
