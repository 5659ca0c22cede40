import { ADULT, amountAttribute } from "../../calendar/amounts.ts";
import { applyOperations } from "../../calendar/apply.ts";
import { type Attribute, type AttributeValue, type Group, pageKindOf } from "../../calendar/attributes.ts";
import type { Night } from "../../calendar/night.ts";
import { type Assign, EVERY_DAY } from "../../calendar/operation.ts";

const WEEK = 7;

/** One page as it goes into a table; the keys are the caller's. */
export type SeededPage = { span: number; bytes: Uint8Array };

/** Which nights are made, and the message that is said to have set them. */
export type SeededNights = { first: Night; days: number; message: number };

/** Pages of counts; `variant` makes them differ a little from one category to the next. */
export function inventoryPages(nights: SeededNights, variant: number): SeededPage[] {
  return pagesOf(nights, (first, last, week) => [assign("counts", { first, last }, [["available", (variant + week * 3) % 6]])]);
}

/** Pages of amounts and restrictions. */
export function ratePages(nights: SeededNights, variant: number): SeededPage[] {
  return pagesOf(nights, (first, last, week) => [
    assign("amounts", { first, last }, [
      ["currency", "EUR"],
      [amountAttribute({ tax: "after", guests: 1, age: ADULT, nights: 1 }), 8_000 + variant * 500 + (week % 5) * 250],
      [amountAttribute({ tax: "after", guests: 2, age: ADULT, nights: 1 }), 11_000 + variant * 500 + (week % 5) * 250],
    ]),
    assign("restrictions", { first, last }, [
      ["stopSell", Number((week + variant) % 9 === 0)],
      ["minStayArrival", 1 + ((week + variant) % 3)],
    ]),
  ]);
}

function assign(group: Group, range: { first: Night; last: Night }, values: readonly (readonly [Attribute, AttributeValue])[]): Assign {
  const target = { kind: pageKindOf(group), category: "", lane: "", days: EVERY_DAY };
  return { type: "assign", ...target, group, replace: false, values: new Map(values), ...range };
}

function pagesOf({ first, days, message }: SeededNights, week: (first: Night, last: Night, week: number) => Assign[]): SeededPage[] {
  const operations: Assign[] = [];
  for (let day = 0; day < days; day += WEEK) operations.push(...week(first + day, first + Math.min(day + WEEK, days) - 1, day / WEEK));
  return applyOperations([], operations, message).pages.map(({ span, bytes }) => ({ span, bytes: bytes! }));
}
