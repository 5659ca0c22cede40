import { z } from "zod";
import { LAST_MEAL_PLAN, MEAL_PLANS } from "../../calendar/meal-plans.ts";
import { type Choices, isVisible, characterCount, normalCode } from "../../text.ts";
import { currencies } from "../property/choices.ts";
import { choiceRule, createMembershipTest, optionalChoiceRule, optionalLineRule, rulesByField, fieldWords } from "../rules.ts";

/** A retired plan is not for sale. A removed plan was removed by its sender, and becomes active when a message sets its nights. */
export const PLAN_STATUSES: Choices = [
  ["active", "Active"],
  ["retired", "Retired"],
  ["removed", "Removed by its sender"],
];

export const MEAL_PLAN_CHOICES: Choices = Object.entries(MEAL_PLANS).map(([code, name]) => [
  code,
  `${name.charAt(0).toUpperCase()}${name.slice(1)} (${code})`,
]);

const MAX_CODE_LENGTH = 64;
const MAX_NAME_LENGTH = 255;
const MAX_NOTE_LENGTH = 1_000;

export function isPlanCode(text: string): boolean {
  return text !== "" && characterCount(text) <= MAX_CODE_LENGTH && isVisible(text);
}

/** Defines the order in forms and the history. */
const PLAN_FIELD_RULES = {
  name: { label: "Name", rule: optionalLineRule(MAX_NAME_LENGTH, `Enter a name of up to ${MAX_NAME_LENGTH} characters`) },
  mealPlan: {
    label: "Meal plan",
    rule: optionalChoiceRule(isMealPlan, `Choose a meal plan: an OpenTravel code from 1 to ${LAST_MEAL_PLAN}`),
    choices: () => MEAL_PLAN_CHOICES,
  },
  currency: {
    label: "Currency",
    rule: optionalChoiceRule(createMembershipTest(currencies), "Enter a three-letter currency code, such as EUR"),
    choices: currencies,
  },
  parentNote: { label: "Derived from", rule: optionalLineRule(MAX_NOTE_LENGTH, `Enter a note of up to ${MAX_NOTE_LENGTH} characters`) },
  status: {
    label: "Status",
    rule: choiceRule(
      createMembershipTest(() => PLAN_STATUSES),
      "active",
      "Choose a status: active, retired or removed",
    ),
    choices: () => PLAN_STATUSES,
  },
};
const fieldRules = rulesByField(PLAN_FIELD_RULES);

export const planForm = z.object(fieldRules);

export const newPlanForm = z.object({
  code: z
    .string()
    .default("")
    .transform(normalCode)
    .refine(isPlanCode, `Enter a code of up to ${MAX_CODE_LENGTH} characters without line breaks or other invisible characters`),
  ...fieldRules,
});

export type PlanFields = z.infer<typeof planForm>;

export type PlanKey = { property: string; code: string };

/** Each edit and each message that changes the plan adds 1 to `version`. Times are in milliseconds since 1970. */
export type Plan = PlanKey & PlanFields & { version: number; createdAt: number; updatedAt: number };

export const PLAN_FIELDS = Object.keys(PLAN_FIELD_RULES) as readonly (keyof PlanFields)[];

/** Labels for fields and values in forms, the history and edit conflicts. */
export const PLAN_WORDS = fieldWords(PLAN_FIELD_RULES);

function isMealPlan(code: string): boolean {
  return /^[1-9]\d?$/.test(code) && Number(code) <= LAST_MEAL_PLAN;
}
