import { invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { flagIn } from "./attributes.ts";
import { parseWhole } from "./parse.ts";

/** The code of OpenTravel list MPT for `MealsIncluded`; the first of several codes. */
export function mealPlanOf(reading: Reading): string | undefined {
  const { attributes, report, at } = reading;
  const code = attributes.get("MealPlanCodes")?.trim().split(/\s+/)[0];
  if (!code) return mealPlanOfFlags(MEALS.map((meal) => flagIn(meal, reading)));
  const known = parseWhole(code, LAST_MEAL_PLAN);
  if (!known) report.error(invalidWord(code, "MealPlanCodes", `1 to ${LAST_MEAL_PLAN}`), at);
  return known ? String(known) : undefined;
}

const MEALS = ["Breakfast", "Lunch", "Dinner"] as const;
const LAST_MEAL_PLAN = 27;

/** Codes by breakfast, lunch and dinner, from room only to full board. */
const MEAL_PLANS: Readonly<Record<string, string>> = {
  "---": "14",
  "B--": "3",
  "-L-": "21",
  "--D": "22",
  "BL-": "23",
  "-LD": "24",
  "B-D": "12",
  BLD: "10",
};

function mealPlanOfFlags(flags: readonly (boolean | undefined)[]): string | undefined {
  if (flags.every((flag) => flag === undefined)) return undefined;
  const letters = flags.map((flag, index) => (flag === true ? MEALS[index]!.charAt(0) : "-"));
  return MEAL_PLANS[letters.join("")];
}
