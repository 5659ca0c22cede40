import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';
const control = `<StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL" RatePlanCode="BAR"/>`;
const category = control.replace(' RatePlanCode="BAR"', "");
const PLAN = { kind: "rate", lane: "BAR" } as const;

const avail = (hotel: string, content: string, attributes = "") =>
  `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${hotel}"><AvailStatusMessage ${attributes}>${content}</AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const counts = (hotel: string, content: string, attributes = "") =>
  `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}"><Inventory ${attributes}>${content}</Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
const rates = (hotel: string, rate: string) =>
  `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}"><RateAmountMessage>${control}<Rates>${rate}</Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
const amount = '<BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="100"/></BaseByGuestAmts>';
const one = '<InvCount CountType="2" Count="5"/>';

const warningsIn = (text: string) => [...text.matchAll(/<Warning [^>]*>([^<]*)</g)].map(([, warning]) => warning!);

eachChannel("Nonstandard names for stock, prices and limits", (channel) => {
  test("reads a BookingLimit element, an InvCountList and stay limits on a RestrictionStatus", async () => {
    const { code, night } = await channel.hotel();
    const limit = avail(
      code,
      `${control}<BookingLimit> 5 </BookingLimit><BookingThreshold>1</BookingThreshold><RestrictionStatus Status="Open" MinLOS="2" MaxLOS="9.0"/>`,
    );
    assert.match((await channel.send(limit)).text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), {}), { available: 5, threshold: 1 });
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 0, minStayArrival: 2, maxStayArrival: 9 });
    assert.match(
      (await channel.send(counts(code, `${category}<InvCountList>${one.replace("5", "7")}</InvCountList>`))).text,
      /<Success\/><\//,
    );
    assert.deepEqual(await night(day(1), {}), { available: 7, threshold: 1 });
    await channel.send(avail(code, `${control}<RestrictionStatus MinLOS="0" MaxLOS="0"/>`));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 0 });
    await channel.send(avail(code, `${control}<BookingLimitMessageType>RemoveLimit</BookingLimitMessageType>`));
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("refuses a limit sent both as an element and as an attribute, and a number that can't be parsed", async () => {
    const { code, night } = await channel.hotel();
    const twice = avail(code, `${control}<BookingLimit>5</BookingLimit>`, 'BookingLimit="4"');
    assert.match((await channel.send(twice)).text, /Code="320"[^>]*>BookingLimit appears twice</);
    assert.match(
      (await channel.send(avail(code, `${control}<BookingLimit>many</BookingLimit>`))).text,
      /Invalid value "many" for BookingLimit</,
    );
    const stay = avail(code, `${control}<RestrictionStatus MinLOS="two"/>`);
    assert.match((await channel.send(stay)).text, /Invalid value "two" for MinLOS</);
    assert.deepEqual(await night(day(1), {}), {});
  });

  for (const [part, send] of [
    [
      "BestAvailableRates",
      (code) => avail(code, `${control}<BestAvailableRates><BestAvailableRate Amount="9"/></BestAvailableRates>`, 'BookingLimit="5"'),
    ],
    ["HurdleRate", (code) => avail(code, `${control}<HurdleRate Amount="9"/>`, 'BookingLimit="5"')],
    ["Quantity", (code) => avail(code, `${control}<Quantity>9</Quantity>`, 'BookingLimit="5"')],
    [
      "RestrictionStatus/@SellThroughOpenIndicator",
      (code) => avail(code, `${control}<RestrictionStatus SellThroughOpenIndicator="1"/>`, 'BookingLimit="5"'),
    ],
    ["InvCounts", (code) => avail(code, `${control}<InvCounts>${one}</InvCounts>`, 'BookingLimit="5"')],
    ["Inventory/@Available", (code) => counts(code, `${category}<InvCounts>${one}</InvCounts>`, 'Available="9"')],
    ["Availability", (code) => counts(code, `${category}<InvCounts>${one}<Availability>3</Availability></InvCounts>`)],
    ["InvCount/@Remaining", (code) => counts(code, `${category}<InvCounts>${one.replace("/>", ' Remaining="1"/>')}</InvCounts>`)],
  ] as const satisfies readonly (readonly [string, (code: string) => string])[]) {
    test(`warns that ${part} is not read`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(send(code));
      const [warning = "", ...others] = warningsIn(text);
      assert.match(text, /<Success\/>/);
      assert.match(warning, new RegExp(`^${part} is (?:not stored|unknown and was ignored)$`));
      assert.deepEqual(others, []);
      assert.deepEqual(await night(day(1), {}), { available: 5 });
    });
  }

  for (const part of ["NumberOfUnits", "Price"]) {
    test(`warns that ${part} on a Rate is not read`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(rates(code, `<Rate ${part}="4">${amount}</Rate>`));
      assert.match(warningsIn(text)[0] ?? "", new RegExp(`^Rate/@${part} is (?:not stored|unknown and was ignored)$`));
      assert.deepEqual(await night(day(1), {}), {});
      assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 10_000);
    });
  }

  test("does not mark a category as sold out if its counts are in an unread part", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(counts(code, `${category}<InvCounts>${one}</InvCounts>`));
    for (const xml of [
      counts(code, category, 'Count="7"'),
      counts(code, `${category}<InvCounts><Count>7</Count></InvCounts>`),
      counts(code, `${category}<TPA_Extensions><Rooms>7</Rooms></TPA_Extensions>`),
    ]) {
      const { text } = await channel.send(xml);
      assert.ok(warningsIn(text).includes("a line without InvCounts was ignored because part of it was not read"), text);
      assert.deepEqual(await night(day(1), {}), { available: 5 }, xml);
    }
    assert.ok(warningsIn((await channel.send(counts(code, category, 'Count="7"'))).text).includes("Inventory/@Count is not stored"));
    await channel.send(counts(code, category));
    assert.deepEqual(await night(day(1), {}), { available: 0 });
  });

  test("refuses a complete set that would clear a line's nights because its counts are in an unread part", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(counts(code, `${category}<InvCounts>${one}</InvCounts>`));
    const set = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
    const { text } = await channel.send(counts(code, category, 'Count="7"').replace("<Inventories", `${set}$&`));
    assert.match(text, /Code="321"[^>]*>Required field missing: InvCounts</);
    assert.deepEqual(await night(day(1), {}), { available: 5 });
  });

  test("does not warn about harmless nonstandard names", async () => {
    const { code } = await channel.hotel();
    const text = "<RateDescription><Text>x</Text></RateDescription><CancelPolicies><CancelPenalty/></CancelPolicies>";
    assert.match((await channel.send(rates(code, `<Rate RPH="1">${amount}${text}</Rate>`))).text, /<Success\/><\//);
  });

  test("does not put physical rooms on sale unless the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const physical = `${category}<InvCounts><InvCount CountType="1" Count="6"/></InvCounts>`;
    const { text } = await channel.send(counts(code, physical));
    assert.deepEqual(warningsIn(text), ["physical rooms (CountType 1) alone do not set availability; send CountType 2"]);
    assert.deepEqual(await night(day(1), {}), { physical: 6 });
    const send = await channel.as({ preset: "standard", settings: { countType1: "forSale" } });
    const { text: sold } = await send(counts(code, physical));
    assert.match(sold, /<Success\/><\//);
    assert.deepEqual(await night(day(1), {}), { available: 6, physical: 6 });
    await send(counts(code, physical.replace("</InvCounts>", `${one}</InvCounts>`)));
    assert.deepEqual(
      await night(day(1), {}),
      { available: 5, physical: 6 },
      "physical rooms do not set availability if availability is sent",
    );
  });
});
