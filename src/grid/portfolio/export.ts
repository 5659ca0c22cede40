import { formatAmount } from "../../calendar/money.ts";
import { problemNames } from "../../calendar/night-summary.ts";
import { formatNight } from "../../calendar/night.ts";
import { splitIntoBatches } from "../../db/listing.ts";
import type { CsvColumn } from "../../web/csv.ts";
import type { PortfolioQuery } from "./query.ts";
import type { Portfolio, PortfolioLine, PortfolioNight } from "./read.ts";

/** `complete` is true if every property was summarised. `pendingChanges` counts stored changes that the summaries don't include yet. */
export function portfolioJson({ lines, count, backlog }: Portfolio, { page, size, after }: PortfolioQuery): object {
  return {
    ...count,
    ...(after === undefined ? { page, size } : { size, next: lines.length < size ? null : lines.at(-1)!.code }),
    pendingChanges: backlog.changes,
    complete: !backlog.isFilling,
    properties: lines.map((line) => ({
      code: line.code,
      name: line.name,
      lastMessageAt: line.lastMessageAt === undefined ? undefined : new Date(line.lastMessageAt).toISOString(),
      nights: line.nights.map((night) => nightJson(line, night)),
    })),
  };
}

/** Nothing was received for a missing value. Problems are listed only for nights that can still be booked. */
export function nightJson({ currency }: Pick<PortfolioLine, "currency">, { night, rooms, price, ...others }: PortfolioNight): object {
  const problems = shownProblems(others);
  return {
    night: formatNight(night),
    available: rooms,
    ...(price !== undefined && { price: formatAmount(price, currency), currency }),
    ...(problems.length > 0 && { problems }),
  };
}

function shownProblems({ isOpen, problems }: Pick<PortfolioNight, "isOpen" | "problems">): string[] {
  return isOpen ? problemNames(problems) : [];
}

type CsvRow = { line: PortfolioLine; night: PortfolioNight };

export const portfolioColumns: readonly CsvColumn<CsvRow>[] = [
  { head: "property", cell: ({ line }) => line.code },
  { head: "name", cell: ({ line }) => line.name },
  { head: "night", cell: ({ night }) => formatNight(night.night) },
  { head: "available", cell: ({ night }) => night.rooms },
  { head: "price", cell: ({ line, night }) => (night.price === undefined ? undefined : formatAmount(night.price, line.currency)) },
  { head: "currency", cell: ({ line }) => line.currency },
  { head: "problems", cell: ({ night }) => shownProblems(night).join(", ") },
];

export function* portfolioRows(lines: readonly PortfolioLine[]): Generator<CsvRow[]> {
  for (const batch of splitIntoBatches(lines)) yield batch.flatMap((line) => line.nights.map((night) => ({ line, night })));
}
