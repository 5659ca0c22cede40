import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { cpuTime } from "../../../../../test/support/cpu.ts";
import {
  BAR,
  COMPLETE_SET,
  doubles,
  fixed,
  master,
  message,
  nights,
  plan,
  rates,
  rule,
  rules,
  stay,
} from "../../../../../test/support/rate-plans.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";

const title = (text: string) => `<Description Name="title"><Text Language="en">${text}</Text></Description>`;

eachChannel("A rate plan in several elements", (channel) => {
  const planOf = (property: string) =>
    channel.database.read.selectFrom("rate_plan").selectAll().where("property", "=", property).executeTakeFirstOrThrow();
  const amountsOf = async (night: Awaited<ReturnType<typeof channel.hotel>>["night"], days: number[]) =>
    Promise.all(days.map(async (at) => (await night(day(at), BAR))["amount:after:2:10:1"]));

  test("combines all elements of a full plan and removes the plan's earlier values", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("New", rates(fixed("7"), doubles(0, 9, "50")))));
    const first = plan("New", rates(fixed("25"), doubles(1, 2, "100")) + title("Best"), 'RatePlanCode="BAR" CurrencyCode="CHF"');
    const { text } = await channel.send(message(code, first + plan("New", rates(doubles(3, 4, "110"), doubles(2, 2, "105")))));
    assert.match(text, /<Success\/>/);
    assert.deepEqual(await amountsOf(night, [0, 1, 2, 3, 4, 5]), [undefined, 10_000, 10_500, 11_000, 11_000, undefined]);
    assert.deepEqual(await night(day(3), BAR), { currency: "CHF", perPerson: 0, "amount:after:2:10:1": 11_000 });
    const { name, currency, price_basis } = await planOf(code);
    assert.deepEqual({ name, currency, price_basis }, { name: "Best", currency: "CHF", price_basis: "room" });
  });

  test("combines all of a plan's elements in a complete set", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("New", rules(rule(nights(0, 9), master("Close"))))));
    const elements = [plan("Overlay", rates(doubles(1, 1, "100"))), plan("Overlay", rates(doubles(2, 2, "110")))];
    await channel.send(message(code, elements.join(""), COMPLETE_SET));
    assert.deepEqual(await amountsOf(night, [1, 2]), [10_000, 11_000]);
    assert.equal((await night(day(1), BAR))["stopSell"], undefined);
  });

  test("lets a plan's later elements override earlier ones", async () => {
    const { code, night } = await channel.hotel();
    const elements = [
      plan("New", rules(rule(nights(0, 9), master("Close"))) + title("First")),
      plan("New", rules(rule(nights(5, 5), master("Open"))) + title("Second")),
    ];
    await channel.send(message(code, elements.join("")));
    assert.deepEqual([(await night(day(4), BAR))["stopSell"], (await night(day(5), BAR))["stopSell"]], [1, 0]);
    assert.equal((await planOf(code)).name, "Second");
  });

  for (const [how, type, head] of [
    ["a full plan", "Full", ""],
    ["an overlay", "Overlay", ""],
    ["a complete set", "Overlay", COMPLETE_SET],
  ] as const) {
    test(`combines the rules of all elements of ${how} and removes stored rules`, async () => {
      const { code, night } = await channel.hotel();
      await channel.send(message(code, plan("New", rules(rule(nights(0, 9), master("Close"))))));
      const elements = [
        plan(type, (type === "Full" ? rates(fixed("7")) : "") + rules(rule(nights(1, 3), stay("SetMinLOS", 2)))),
        plan(type, rules(rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(2, 4)}`, stay("SetMaxLOS", 7)))),
        plan(type, rules(rule(nights(3, 3), stay("SetMinLOS", 3)))),
      ];
      assert.match((await channel.send(message(code, elements.join(""), head))).text, /<Success\/>/);
      const found = await Promise.all([1, 2, 3, 4].map((at) => night(day(at), BAR)));
      const [two, seven] = [{ minStayArrival: 2 }, { maxStayArrival: 7 }];
      assert.deepEqual(found, [two, { ...two, ...seven }, { minStayArrival: 3, ...seven }, seven]);
      const single = await Promise.all([2, 3, 4].map((at) => night(day(at), { ...BAR, category: "SGL" })));
      assert.deepEqual(single, [two, { minStayArrival: 3 }, type === "Overlay" && head === "" ? { stopSell: 1 } : {}]);
    });
  }

  test("keeps values from a plan's earlier elements that its later ones omit", async () => {
    const { code } = await channel.hotel();
    const offer = '<Offers><Offer><Discount Percent="100"/></Offer></Offers>';
    await channel.send(message(code, plan("Overlay", title("Best")) + plan("Overlay", offer)));
    const { name, details } = await planOf(code);
    const { descriptions, offers } = parsePlanDetails(details);
    assert.deepEqual([name, descriptions.length, offers.length], ["Best", 1, 1]);
  });

  test("replaces the stored offers with the offers from all elements, without duplicates", async () => {
    const { code } = await channel.hotel();
    const offers = (...free: number[]) =>
      `<Offers>${free.map((count) => `<Offer><Discount Percent="100" NightsDiscounted="${count}"/></Offer>`).join("")}</Offers>`;
    const freeNights = async (...elements: string[]) => {
      assert.match((await channel.send(message(code, elements.join("")))).text, /<Success\/>/);
      const { details } = await planOf(code);
      return parsePlanDetails(details).offers.map(({ xml }) => Number(/NightsDiscounted="(\d)"/.exec(xml)?.[1]));
    };
    assert.deepEqual(await freeNights(plan("Full", offers(1)), plan("Full", offers(2, 3)), plan("Full", title("Best"))), [1, 2, 3]);
    assert.deepEqual(
      await freeNights(plan("Overlay", offers(4)), plan("Overlay", offers(5) + title("Best")), plan("Overlay", offers(4))),
      [5, 4],
    );
    assert.deepEqual(await freeNights(plan("Overlay", title("Better"))), [5, 4]);
  });

  test("reads many elements of one plan in linear time", async () => {
    const supplement = (at: number) => `<Supplement InvType="EXTRA" InvCode="S${at}"><Description Name="title"/></Supplement>`;
    const sendElements = async (count: number) => {
      const { code } = await channel.hotel();
      const elements = Array.from({ length: count }, (_, at) => plan("Overlay", `<Supplements>${supplement(at)}</Supplements>`));
      const xml = message(code, elements.join(""));
      const time = await cpuTime(async () => assert.match((await channel.send(xml)).text, /<Success\/>/));
      assert.equal(parsePlanDetails((await planOf(code)).details).supplements.length, count);
      return time;
    };
    const [few, many] = [await sendElements(500), await sendElements(4_000)];
    assert.ok(many < 5 * 8 * few, `8 times as many elements took ${many} ms, ${few} ms before`);
  });

  test("treats a plan in an earlier element as known, and as new again after it is removed", async () => {
    const { code, night } = await channel.hotel({ known_plans_only: 1 });
    const elements = [plan("New", rates(doubles(1, 1, "100"))), plan("Overlay", rates(doubles(2, 2, "110")))];
    const { text } = await channel.send(message(code, elements.join("")));
    assert.match(text, /<Success\/>/);
    assert.deepEqual(await amountsOf(night, [1, 2]), [10_000, 11_000]);
    await channel.send(message(code, [...elements, plan("Remove"), plan("New", rates(doubles(3, 3, "120")))].join("")));
    assert.deepEqual(await amountsOf(night, [1, 2, 3]), [undefined, undefined, 12_000]);
  });
});
