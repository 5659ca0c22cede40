import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("The amount of an additional guest", (channel) => {
  test("stores an additional guest's amount as before tax if TaxInclusive is false", async () => {
    const { code, night } = await channel.hotel();
    const extra = (tax: string) =>
      `<Rate><BaseByGuestAmts>${after(2, "50")}</BaseByGuestAmts><AdditionalGuestAmounts><AdditionalGuestAmount Amount="30" ${tax}/></AdditionalGuestAmounts></Rate>`;
    const taxOf = async (tax: string) => {
      await channel.send(message(code, line(extra(tax))));
      return JSON.parse(String((await night(day(1), PLAN))["extras"]))[0].tax;
    };
    assert.deepEqual([await taxOf(""), await taxOf('TaxInclusive="1"'), await taxOf('TaxInclusive="false"')], ["after", "after", "before"]);
    assert.match(
      (await channel.send(message(code, line(extra('TaxInclusive="some"'))))).text,
      /Code="320"[^>]*>Invalid value "some" for TaxInc/,
    );
  });

  test("stores an additional guest's amounts before and after tax if both are sent", async () => {
    const { code, night } = await channel.hotel();
    const extras = (attributes: string) =>
      `<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="10" ${attributes}/></AdditionalGuestAmounts>`;
    const stored = async (attributes: string) => {
      await channel.send(message(code, line(`<Rate>${extras(attributes)}</Rate>`)));
      return JSON.parse(String((await night(day(1), PLAN))["extras"])) as object[];
    };
    const [gross, net] = [
      { amount: 1_000, age: 10, tax: "after" },
      { amount: 800, age: 10, tax: "before" },
    ];
    assert.deepEqual(await stored('AmountAfterTax="10" AmountBeforeTax="8"'), [gross, net]);
    assert.deepEqual(await stored('Amount="10" AmountBeforeTax="8"'), [gross, net]);
    assert.deepEqual(await stored('Amount="8" TaxInclusive="false"'), [net]);
    assert.deepEqual(await stored('Amount="8" AmountBeforeTax="9" TaxInclusive="0"'), [net]);
    assert.deepEqual(await stored('AmountAfterTax="10" AmountBeforeTax="8" TaxInclusive="0"'), [gross, net]);
    const broken = await channel.send(message(code, line(`<Rate>${extras('Amount="9" AmountBeforeTax="x"')}</Rate>`)));
    assert.match(broken.text, /Code="320"[^>]*>Invalid value "x" for AmountBeforeTax</);
  });

  test("stores an additional guest's amount with a reversed age range and adds a warning", async () => {
    const { code, night } = await channel.hotel();
    const extra = (ages: string) =>
      line(
        `<Rate><AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="8" ${ages} Amount="5"/></AdditionalGuestAmounts></Rate>`,
      );
    const { text } = await channel.send(message(code, extra('MinAge="9" MaxAge="3"')));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>AdditionalGuestAmount has MinAge 9 above MaxAge 3</);
    assert.deepEqual(JSON.parse(String((await night(day(1), PLAN))["extras"])), [
      { amount: 500, age: 8, tax: "after", minAge: 9, maxAge: 3 },
    ]);
    assert.match((await channel.send(message(code, extra('MinAge="3" MaxAge="3"')))).text, /<Success\/><\//);
  });

  test("warns that a percentage for an additional guest is not stored", async () => {
    const { code, night } = await channel.hotel();
    const extras = '<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="8" Percent="50"/></AdditionalGuestAmounts></Rate>';
    const { text } = await channel.send(message(code, line(rate(after(2, "120")).replace("</Rate>", extras))));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>Percent of AdditionalGuestAmount is not stored</);
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 12_000 });
    const alone = await channel.send(message(code, line(`<Rate>${extras}`)));
    assert.match(alone.text, /Code="321"[^>]*>Required field missing: BaseByGuestAmt</);
  });

  test("combines additional guests from several rates and stores the later amount for the same guest", async () => {
    const { code, night } = await channel.hotel();
    const more = (guests: number, extra: string) =>
      rate(after(guests, "90")).replace(
        "</Rate>",
        `<AdditionalGuestAmounts><AdditionalGuestAmount ${extra}/></AdditionalGuestAmounts></Rate>`,
      );
    const child = 'AgeQualifyingCode="8" MinAge="3" MaxAge="9"';
    const rates = more(1, 'AgeQualifyingCode="10" Amount="20"') + more(2, `${child} Amount="12"`) + more(3, `${child} Amount="10"`);
    await channel.send(message(code, line(rates)));
    const stored = [
      { amount: 2_000, age: 10, tax: "after" },
      { amount: 1_000, age: 8, tax: "after", minAge: 3, maxAge: 9 },
    ];
    assert.deepEqual(JSON.parse(String((await night(day(1), PLAN))["extras"])), stored);
    await channel.send(message(code, line(more(2, 'AgeQualifyingCode="10" Amount="25"'))));
    assert.deepEqual(JSON.parse(String((await night(day(1), PLAN))["extras"])), [{ amount: 2_500, age: 10, tax: "after" }]);
  });

  test("combines additional guests from rates that are not adjacent", async () => {
    const { code, night } = await channel.hotel();
    const rateOn = (first: number, guests: number, extras: string) =>
      rate(after(guests, "90"), `Start="${day(first)}" End="${day(2)}"`).replace("</Rate>", `${extras}</Rate>`);
    const extra = (age: number) =>
      `<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="${age}" Amount="10"/></AdditionalGuestAmounts>`;
    const agesAfter = async (rates: string) => {
      await channel.send(message(code, line(rates)));
      const nights = [1, 2].map(async (at) => JSON.parse(String((await night(day(at), PLAN))["extras"])) as { age: number }[]);
      return (await Promise.all(nights)).map((extras) => extras.map(({ age }) => age));
    };
    const both = [10, 8];
    assert.deepEqual(await agesAfter(rateOn(1, 1, extra(10)) + rateOn(2, 2, "") + rateOn(1, 3, extra(8))), [both, both]);
    const between = rateOn(1, 1, extra(10)) + rateOn(2, 2, extra(7));
    assert.deepEqual(
      await agesAfter(between + rateOn(1, 3, extra(8))),
      [both, both],
      "the later rate wins if adjacent rates have additional guests too",
    );
    assert.deepEqual(await agesAfter(between + rateOn(1, 3, "")), [[10], [7]], "a later rate without additional guests keeps them");
  });

  test("stores additional guests only from the later of two overlapping lines, and logs the overlap if the lines differ", async () => {
    const { code, night } = await channel.hotel();
    const extra = (guests: number, age: number, dates = "") =>
      rate(after(guests, "90"), dates).replace(
        "</Rate>",
        `<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="${age}" Amount="10"/></AdditionalGuestAmounts></Rate>`,
      );
    const [first, second] = [1, 2].map((at) => `Start="${day(at)}" End="${day(at)}"`);
    const both = message(code, line(extra(1, 10)) + line(extra(2, 8, second)));
    const advisoriesOf = async (xml: string) => (await channel.send(xml)).receipt!.verdict.notes.advisories.join();
    assert.match(await advisoriesOf(both), /lines for additional guests of DBL\/BAR overlap: the later line was applied/);
    const ages = [1, 2].map(async (at) =>
      JSON.parse(String((await night(day(at), PLAN))["extras"])).map(({ age }: { age: number }) => age),
    );
    assert.deepEqual(await Promise.all(ages), [[10], [8]]);
    for (const lines of [line(extra(1, 10, first)) + line(extra(1, 8, second)), line(extra(1, 8)) + line(extra(2, 8))])
      assert.doesNotMatch(await advisoriesOf(message(code, lines)), /additional guests/);
  });

  test("refuses too many different additional-guest amounts for one night", async () => {
    const { code, night } = await channel.hotel();
    const extras = (most: number) =>
      Array.from({ length: most }, (_, age) => `<AdditionalGuestAmount AgeQualifyingCode="8" MaxAge="${age}" Amount="1"/>`).join("");
    const sent = (most: number) =>
      channel.send(message(code, line(`<Rate><AdditionalGuestAmounts>${extras(most)}</AdditionalGuestAmounts></Rate>`)));
    const { text } = await sent(201);
    assert.match(text, /<Errors><Error Type="12" Code="743"[^>]*>Message sets more than 200 amounts for additional guests for one night</);
    assert.deepEqual(await night(day(1), PLAN), {});
    assert.match((await sent(200)).text, /<Success\/>/);
  });
});
