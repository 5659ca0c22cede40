import { formatNight, type Night, parseNight } from "../../calendar/night.ts";
import type { GridContext, GridSources } from "../context.ts";
import { type PortfolioNight, readLine } from "../portfolio/read.ts";

/** A calendar month, such as `2026-12`, with its nights. */
export type YearMonth = { month: string; nights: readonly PortfolioNight[] };

const MONTHS_PER_YEAR = 12;

/** Reads twelve months of a property's nights, starting with the month of `from`. */
export async function readYear(
  sources: Pick<GridSources, "database" | "clock">,
  property: GridContext["property"],
  from: Night,
): Promise<readonly YearMonth[]> {
  const [year, month] = formatNight(from).split("-").map(Number) as [number, number];
  const monthStarts = Array.from({ length: MONTHS_PER_YEAR + 1 }, (_, index) => firstNight(year, month - 1 + index));
  const [first, end] = [monthStarts[0]!, monthStarts[MONTHS_PER_YEAR]!];
  const { nights } = await readLine(sources, { ...property, lastMessageAt: undefined }, { first, nights: end - first });
  return monthStarts.slice(0, MONTHS_PER_YEAR).map((start, index) => ({
    month: formatNight(start).slice(0, 7),
    nights: nights.slice(start - first, monthStarts[index + 1]! - first),
  }));
}

/** `month` is 0 for January and may exceed 11. */
function firstNight(year: number, month: number): Night {
  return parseNight(`${year + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`)!;
}
