import { ADULT_CODE } from "../../../../calendar/amounts.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import type { Rate } from "../../updates/update.ts";
import { readAmountDefaults } from "../parts/read-rate.ts";

/** Reads `BestAvailableRate`, a price per room after tax. */
export function readBestRate(reading: ElementContext): Rate | undefined {
  const { attributes, report, at } = reading;
  const text = attributes.get("Amount");
  if (text === undefined) return void report.error(fieldMissing("Amount of BestAvailableRate"), at);
  const { currency, decimalPlaces } = readAmountDefaults(reading);
  return {
    at,
    stay: undefined,
    amounts: [
      {
        at,
        tax: "after",
        guests: 0,
        age: ADULT_CODE,
        field: "Amount",
        text,
        currency,
        decimalPlaces,
        minAge: undefined,
        maxAge: undefined,
      },
    ],
    extras: [],
    currency,
    perPerson: undefined,
    mealPlan: undefined,
  };
}
