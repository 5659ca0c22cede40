import { z } from "zod";
import type { NightProblem } from "../../calendar/night-summary.ts";
import { DAY_MS, type Night, todayIn } from "../../calendar/night.ts";
import type { Choices } from "../../text.ts";
import type { Faults, TypedValues } from "../../web/form.ts";
import { listFormat, type ListFormat } from "../../web/negotiate.ts";
import { readListQuery } from "../../web/parts/list.ts";
import { serverZone } from "../../web/parts/moment.ts";
import { parsedWith, readFilters } from "../../web/read-filters.ts";
import type { PortfolioFilter } from "../context.ts";
import { readDate } from "../query.ts";

const DEFAULT_NIGHTS = 14;
const MAX_NIGHTS = 62;

export const MEASURE_CHOICES: Choices = [
  ["rooms", "Free rooms"],
  ["price", "Lowest price"],
  ["problems", "Problems"],
];
export type Measure = "rooms" | "price" | "problems";

/** Problems by which properties can be filtered. `price` means a price below `priceMin` or above `priceMax`. */
export type ProblemFilter = NightProblem | "price";
export const PROBLEM_FILTERS: readonly (readonly [ProblemFilter, string])[] = [
  ["closed", "Closed"],
  ["stop sell", "Stop sell in a category or rate plan"],
  ["sold out", "Sold-out category"],
  ["no price", "Missing price"],
  ["no count", "Missing count"],
  ["price", "Price out of range"],
];

const SILENT_DAYS = [1, 2, 7, 30];
export const SILENCE_CHOICES: Choices = [...SILENT_DAYS.map((days) => [String(days), `over ${days} d ago`] as const), ["never", "never"]];

/** The query of `/inventories` and `/rates` without a property. Prices are in whole units of each property's currency. */
export type PortfolioQuery = PortfolioFilter & {
  first: Night;
  nights: number;
  measure: Measure;
  problem: ProblemFilter | undefined;
  priceMin: number | undefined;
  priceMax: number | undefined;
  format: ListFormat;
  typed: TypedValues;
  faults: Faults;
};

/** Reports invalid fields in `faults` and ignores them. `now` is in milliseconds since 1970. */
export function readPortfolioQuery(
  typed: TypedValues,
  { measure, statuses, now }: { measure: Measure; statuses: Choices; now: number },
): PortfolioQuery {
  const dateFaults: Record<string, string> = {};
  const first = readDate(typed.from, "from", dateFaults) ?? todayIn(serverZone, now);
  const readResult = readFilters({ ...fieldSchemas, status: choiceSchema(statuses, "Choose a status from the list") }, typed);
  const { days, show, problem, silent, ...filters } = readResult.filters;
  return {
    ...readListQuery(typed, ["name", "code"]),
    ...{ status: filters.status, group: filters.group, country: filters.country },
    lastMessage: silent === undefined || silent === "never" ? silent : { before: now - Number(silent) * DAY_MS },
    first,
    nights: days ?? DEFAULT_NIGHTS,
    measure: (show as Measure | undefined) ?? measure,
    problem: problem as ProblemFilter | undefined,
    priceMin: filters.priceMin,
    priceMax: filters.priceMax,
    format: listFormat(typed),
    typed,
    faults: { ...dateFaults, ...readResult.faults },
  };
}

function choiceSchema(choices: readonly (readonly [string, string])[], message: string) {
  return parsedWith((text) => choices.find(([value]) => value === text)?.[0], message);
}

const fieldSchemas = {
  days: parsedWith(readNights, `Enter a number of nights from 1 to ${MAX_NIGHTS}`),
  show: choiceSchema(MEASURE_CHOICES, "Choose free rooms, lowest price or problems"),
  problem: choiceSchema(PROBLEM_FILTERS, "Choose a problem from the list"),
  silent: choiceSchema(SILENCE_CHOICES, "Choose 1, 2, 7 or 30 days, or never"),
  group: z.string(),
  country: parsedWith((text) => (/^[A-Z]{2}$/.test(text) ? text : undefined), "Enter a two-letter country code, such as IT"),
  priceMin: parsedWith(readPrice, "Enter a price such as 80 or 79.50"),
  priceMax: parsedWith(readPrice, "Enter a price such as 80 or 79.50"),
};

function readNights(text: string): number | undefined {
  const nights = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return nights >= 1 && nights <= MAX_NIGHTS ? nights : undefined;
}

function readPrice(text: string): number | undefined {
  return /^\d{1,9}(?:[.,]\d{1,4})?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}
