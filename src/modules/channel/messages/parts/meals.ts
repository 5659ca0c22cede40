import { invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { flagIn } from "./attributes.ts";
import { parseWhole } from "./parse.ts";

/** The code of OpenTravel list MPT for `MealsIncluded`; the first of several codes, unless the indicator says that no plan is included. */
export function mealPlanOf(reading: Reading): string | undefined {
  const { attributes, report, at } = reading;
  const code = attributes.get("MealPlanCodes")?.trim().split(/\s+/)[0];
  const none = flagIn("MealPlanIndicator", reading) === false ? ROOM_ONLY : undefined;
  if (!code) return mealPlanOfFlags(MEALS.map((meal) => flagIn(meal, reading))) ?? none;
  const known = parseWhole(code, LAST_MEAL_PLAN);
  if (!known) report.error(invalidWord(code, "MealPlanCodes", `1 to ${LAST_MEAL_PLAN}`), at);
  return known ? (none ?? String(known)) : undefined;
}

const MEALS = ["Breakfast", "Lunch", "Dinner"] as const;
const LAST_MEAL_PLAN = 27;
const ROOM_ONLY = "14";

/** Codes by breakfast, lunch and dinner, from room only to full board. */
const MEAL_PLANS: Readonly<Record<string, string>> = {
  "---": ROOM_ONLY,
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
