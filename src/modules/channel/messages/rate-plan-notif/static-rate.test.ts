import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { after, BAR, doubles, message, nights, plan, rate, rates } from "../../../../../test/support/rate-plans.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";

const unbound = (attributes: string, amount = 'Type="25"') =>
  `<Rate ${attributes}><BaseByGuestAmts><BaseByGuestAmt ${amount}/></BaseByGuestAmts></Rate>`;

eachChannel("The static rate", (channel) => {
  test("uses the static rate's currency, decimal places and age code as defaults for amounts", async () => {
    const { code, night } = await channel.hotel();
    const own = rate(
      `${nights(2, 2)} CurrencyCode="CHF" DecimalPlaces="1" AgeQualifyingCode="10"`,
      '<BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="1000"/>',
    );
    const parts = rates(unbound('CurrencyCode="USD" DecimalPlaces="2" AgeQualifyingCode="8"'), doubles(1, 1, "10000"), own);
    const { text } = await channel.send(message(code, plan("Overlay", parts, 'RatePlanCode="BAR" CurrencyCode="GBP"')));
    assert.match(text, />amounts were stored in USD, but the property's currency is EUR</);
    assert.deepEqual(await night(day(1), BAR), { currency: "USD", perPerson: 0, "amount:after:2:8:1": 10_000 });
    assert.deepEqual(await night(day(2), BAR), { currency: "CHF", perPerson: 0, "amount:after:2:10:1": 10_000 });
  });

  test("removes the static rate with its plan, even if one message both removes the plan and adds it again", async () => {
    const { code, night } = await channel.hotel();
    const supplement = '<Supplements><Supplement InvType="EXTRA" InvCode="CLEAN"/></Supplements>';
    const full = plan("New", rates(unbound("", 'Type="7" CurrencyCode="USD"'), doubles(1, 1, "100")) + supplement);
    const again = plan("Overlay", rates(doubles(2, 2, "110")));
    for (const messages of [[plan("Remove"), again], [plan("Remove") + again]]) {
      await channel.send(message(code, full));
      for (const plans of messages) await channel.send(message(code, plans));
      assert.deepEqual(await night(day(2), BAR), { currency: "EUR", "amount:after:2:10:1": 11_000 });
      const { details } = await channel.database.read
        .selectFrom("rate_plan")
        .select("details")
        .where("property", "=", code)
        .executeTakeFirstOrThrow();
      assert.deepEqual(parsePlanDetails(details).supplements, []);
    }
  });

  test("reads defaults from the static rate's amount and applies its currency to later overlays", async () => {
    const { code, night } = await channel.hotel();
    const parts = rates(unbound("", 'Type="25" CurrencyCode="USD" DecimalPlaces="2"'), doubles(1, 1, "10000"));
    await channel.send(message(code, plan("Overlay", parts)));
    await channel.send(message(code, plan("Overlay", rates(doubles(2, 2, "110")))));
    assert.deepEqual(await night(day(1), BAR), { currency: "USD", perPerson: 0, "amount:after:2:10:1": 10_000 });
    assert.deepEqual(await night(day(2), BAR), { currency: "USD", perPerson: 0, "amount:after:2:10:1": 11_000 });
  });

  test("refuses a static rate with an invalid currency or number of decimal places", async () => {
    const { code } = await channel.hotel();
    const parts = rates(unbound('DecimalPlaces="9"', 'Type="25" CurrencyCode="EURO"'), doubles(1, 1, "100"));
    const { text } = await channel.send(message(code, plan("Overlay", parts)));
    assert.match(text, /Code="320"[^>]*>Invalid value "9" for DecimalPlaces.*Code="61"[^>]*>Invalid currency code "EURO"/);
  });

  test("prefers an amount's own currency to the plan's", async () => {
    const { code, night } = await channel.hotel();
    const dollars = [after(1, "90"), after(2, "100")].map((amount) => amount.replace("/>", ' CurrencyCode="USD"/>'));
    const full = plan("Full", rates(unbound(""), rate(nights(1, 1), dollars.join(""))), 'RatePlanCode="BAR" CurrencyCode="EUR"');
    assert.match((await channel.send(message(code, full))).text, /<Success\/>/);
    const expected = { currency: "USD", perPerson: 0, "amount:after:1:10:1": 9_000, "amount:after:2:10:1": 10_000 };
    assert.deepEqual(await night(day(1), BAR), expected);
    const mixed = plan(
      "Full",
      rates(unbound(""), rate(nights(1, 1), dollars[0] + after(2, "100"))),
      'RatePlanCode="BAR" CurrencyCode="EUR"',
    );
    assert.match((await channel.send(message(code, mixed))).text, /Code="320"[^>]*>The amounts in a Rate must be in the same currency</);
  });
});
