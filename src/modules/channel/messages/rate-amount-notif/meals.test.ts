import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, PLAN } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const meals = (attributes: string) => `<Rate><BaseByGuestAmts>${after(2, "50")}</BaseByGuestAmts><MealsIncluded ${attributes}/></Rate>`;

eachChannel("OTA_HotelRateAmountNotifRQ", (channel) => {
  for (const [attributes, plan] of [
    ['Breakfast="true" Lunch="false" Dinner="1"', "12"],
    ['MealPlanCodes=" 3 4"', "3"],
    ['MealPlanIndicator="true" MealPlanCodes="3"', "3"],
    ['MealPlanIndicator="false" MealPlanCodes="3"', "14"],
    ['MealPlanIndicator="0"', "14"],
    ['MealPlanIndicator="0" Breakfast="1"', "3"],
  ] as const) {
    test(`reads ${attributes} as meal plan ${plan}`, async () => {
      const { code, night } = await channel.hotel();
      await channel.send(message(code, line(meals(attributes))));
      assert.equal((await night(day(1), PLAN))["mealPlan"], plan);
    });
  }

  test("refuses nonstandard meal plan codes and flags that are not boolean", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, line(meals('MealPlanCodes="BB" MealPlanIndicator="no"'))));
    assert.match(text, /Type="3" Code="320"[^>]*>Invalid value "no" for MealPlanIndicator; allowed: 1, 0, true, false</);
    assert.match(text, /Type="3" Code="320"[^>]*>Invalid value "BB" for MealPlanCodes; allowed: 1 to 27</);
  });
});
