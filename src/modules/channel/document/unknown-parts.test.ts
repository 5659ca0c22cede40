import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const NAMESPACE =
  'xmlns="http://www.opentravel.org/OTA/2003/05" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"';

const unknownIn = (text: string) => [...text.matchAll(/>([^<]*) is unknown and was ignored</g)].map(([, part]) => part);

eachChannel("Unknown parts of a message", (channel) => {
  test("warns about unknown parts of the root element and of container elements", async () => {
    const { code } = await channel.hotel();
    const amount = '<BaseByGuestAmts Colour="red"><BaseByGuestAmt AmountAfterTax="9"/></BaseByGuestAmts>';
    const extras = '<AdditionalGuestAmounts Currency="USD"><AdditionalGuestAmount Amount="9"/></AdditionalGuestAmounts>';
    const line = `<RateAmountMessage><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/><Rates Colour="red"><Rate>${amount}${extras}</Rate></Rates></RateAmountMessage>`;
    const root = `${NAMESPACE} Version="1" TimeStamp="2026-11-20T12:00:00Z" EchoToken="1" Target="Production" NotifType="Delta" Mode="fast"`;
    const xml = `<OTA_HotelRateAmountNotifRQ ${root}><RateAmountMessages HotelCode="${code}">${line}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    const { text } = await channel.send(xml);
    assert.match(text, /<Success\/>/);
    const expected = ["OTA_HotelRateAmountNotifRQ/@Mode", "Rates/@Colour", "BaseByGuestAmts/@Colour"];
    assert.deepEqual(unknownIn(text), [...expected, "AdditionalGuestAmounts/@Currency"]);
  });

  test("refuses an unknown empty element whose name suggests a limit", async () => {
    const { code, night } = await channel.hotel();
    const status = `<AvailStatusMessage><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/><MembersOnly/><RestrictionStatus Status="Close"/></AvailStatusMessage>`;
    const xml = `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${status}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    assert.match((await channel.send(xml)).text, /Code="450"[^>]*>MembersOnly="" limits the line to something that is not stored/);
    assert.deepEqual(await night(day(1), { kind: "rate" }), {});
  });

  test("warns about unknown parts even near the end of a long message", async () => {
    const { code } = await channel.hotel();
    const days = '<DOW_Restrictions Odd="1"><ArrivalDaysOfWeek Sat="1" Odd="1"/></DOW_Restrictions>';
    const rule = `<BookingRule Start="${day(1)}" End="${day(1)}"/>`;
    const rate = `<Rate Start="${day(1)}" End="${day(1)}" Colour="red"><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="9"/></BaseByGuestAmts></Rate>`;
    const rules = `<BookingRules Odd="1">${rule.repeat(300)}${rule.replace("/>", `>${days}</BookingRule>`)}</BookingRules>`;
    const xml = `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${code}"><RatePlan RatePlanCode="BAR">${rules}<Rates>${rate}</Rates></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`;
    const { text } = await channel.send(xml);
    const expected = ["BookingRules/@Odd", "DOW_Restrictions/@Odd", "ArrivalDaysOfWeek/@Odd", "Rate/@Colour"];
    assert.deepEqual(unknownIn(text), expected);
  });

  for (const [part, attributes, content] of [
    ['Market="EXP"', "", "<TPA_Extensions><Market>EXP</Market></TPA_Extensions>"],
    ['Code="B2B"', "", '<TPA_Extensions><Audience Code="B2B"/></TPA_Extensions>'],
    ['Tariff="CORP"', "", '<x:Tariff xmlns:x="urn:x">CORP</x:Tariff>'],
    ['x:MarketCode="B2B"', 'xmlns:x="urn:x" x:MarketCode="B2B"', ""],
  ] as const) {
    test(`refuses an extension that limits a line: ${content || attributes}`, async () => {
      const { code, night } = await channel.hotel();
      const control = `<StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL" ${attributes}>${content}</StatusApplicationControl>`;
      const status = `<AvailStatusMessage>${control}<RestrictionStatus Status="Close"/></AvailStatusMessage>`;
      const xml = `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${status}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
      assert.match((await channel.send(xml)).text, new RegExp(`Code="450"[^>]*>${part} limits the line to something that is not stored`));
      assert.deepEqual(await night(day(1), { kind: "rate" }), {});
    });
  }

  test("warns only once about an extension that several lines repeat", async () => {
    const { code, night } = await channel.hotel();
    const control = `<StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"><TPA_Extensions/></StatusApplicationControl>`;
    const status = `<AvailStatusMessage>${control}<RestrictionStatus Status="Close"/><TPA_Extensions><MinLOS>3</MinLOS></TPA_Extensions></AvailStatusMessage>`;
    const xml = `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}">${status.repeat(2)}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    const { text, receipt } = await channel.send(xml);
    assert.match(text, /<Success\/><Warnings><Warning [^>]*>TPA_Extensions is not stored<\/Warning><\/Warnings>/);
    assert.deepEqual(receipt?.verdict.notes.ignored, ["TPA_Extensions"]);
    assert.deepEqual(await night(day(1), { kind: "rate" }), { stopSell: 1 });
  });
});
