import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import {
  ALPINEBITS,
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
} from "../../../../../test/support/rate-plans.ts";

const WHOLE = plan("Full", rates(fixed("25"), doubles(1, 3, "100")) + rules(rule(nights(1, 3), master("Close"))));
const SECOND = plan("Remove", rates(doubles(2, 2, "100")));

eachChannel("A removal that names nights", (channel) => {
  const stored = async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, WHOLE));
    const statusOf = async () =>
      (await channel.database.read.selectFrom("rate_plan").select("status").where("property", "=", code).execute())[0]?.status;
    const amounts = async () => Promise.all([1, 2, 3].map(async (at) => (await night(day(at), BAR))["amount:after:2:10:1"]));
    return { code, night, statusOf, amounts };
  };

  test("takes their amounts away, and leaves the plan with its rules and the other nights", async () => {
    const { code, night, statusOf, amounts } = await stored();
    const { text, receipt } = await channel.send(message(code, SECOND));
    assert.match(text, /<Success\/><\//);
    assert.equal(receipt?.verdict.summary, `Rate plans BAR (clear): DBL/BAR ${day(2)}: amounts removed`);
    assert.deepEqual([await amounts(), await statusOf()], [[10_000, undefined, 10_000], "active"]);
    assert.deepEqual(await night(day(2), BAR), { stopSell: 1 });
  });

  test("removes the plan in AlpineBits, in a complete set, and of a plan that is deactivated", async () => {
    const deactivated = SECOND.replace("<RatePlan ", '$&RatePlanStatusType="Deactivated" ');
    for (const sent of [
      (code: string) => channel.send(message(code, SECOND), ALPINEBITS),
      (code: string) => channel.send(message(code, SECOND, COMPLETE_SET)),
      (code: string) => channel.send(message(code, deactivated)),
    ]) {
      const { code, statusOf, amounts } = await stored();
      assert.match((await sent(code)).text, /<Success\/>/);
      assert.deepEqual([await amounts(), await statusOf()], [[undefined, undefined, undefined], "removed"]);
    }
  });

  test("makes no plan, sells no removed one again, and takes the nights of its own message too", async () => {
    const { code } = await channel.hotel();
    const unknown = /<Success\/>.*rate plan BAR is not known: nothing was removed/s;
    assert.match((await channel.send(message(code, SECOND))).text, unknown);
    const { code: other, statusOf, amounts } = await stored();
    await channel.send(message(other, plan("Overlay", rates(doubles(1, 2, "90"))) + SECOND));
    assert.deepEqual(await amounts(), [9_000, undefined, 10_000]);
    await channel.send(message(other, plan("Remove")));
    assert.match((await channel.send(message(other, SECOND))).text, unknown);
    assert.equal(await statusOf(), "removed");
  });
});
