import { type Night, todayIn } from "../calendar/night.ts";
import { findInactiveRecord, type SaleDates, saleDates } from "../calendar/sale.ts";
import type { CategoryOnSale } from "../calendar/verdict.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { RowCount } from "../db/listing.ts";
import type { Choices } from "../text.ts";
import { type Html, html, emptyHtml, type Path } from "../web/html.ts";
import { NotFoundException } from "../web/http-error.ts";
import type { ListQuery } from "../web/parts/list.ts";
import { type Day, daysFrom } from "./day.ts";
import type { GridQuery } from "./query.ts";

/** One grid's property, query and days. Times are in milliseconds since 1970. */
export type GridContext = {
  base: Path;
  query: GridQuery;
  property: { code: string; name: string; currency: string; timeZone: string; status: string; assumeOpen: boolean; horizonDays: number };
  categories: readonly GridCategory[];
  /** Codes of retired rate plans. */
  retired: ReadonlySet<string>;
  first: Night;
  today: Night;
  /** Which nights can be sold, as of the displayed time. */
  dates: SaleDates;
  now: number;
  days: readonly Day[];
};

type StoredCategory = { code: string; name: string; status: string; rooms: number; standardOccupancy: number };

/** Past statuses are not stored, so views of the past treat every category and rate plan as active. */
export type GridCategory = StoredCategory & { inactive: CategoryOnSale["inactive"] };

/** The functions and stores from which a grid reads its property and categories. */
export type GridSources = {
  database: Database;
  clock: Clock;
  findProperty(database: Database, code: string): Promise<GridContext["property"] | undefined>;
  streamProperties(database: Database): AsyncIterable<GridContext["property"]>;
  categoriesOf(database: Database, property: string): Promise<readonly StoredCategory[]>;
  retiredPlansOf(database: Database, property: string): Promise<ReadonlySet<string>>;
  portfolio: PortfolioSources;
};

/** `listPage` returns one page of matching properties, and `listAll` returns all of them in the same order. */
export type PortfolioSources = {
  statuses: Choices;
  listPage(database: Database, query: PortfolioFilter): Promise<{ lines: PortfolioProperty[]; count: RowCount }>;
  listAll(database: Database, query: PortfolioFilter): Promise<PortfolioProperty[]>;
  listGroupsAndCountries(database: Database): Promise<{ groups: string[]; countries: string[] }>;
  listViews(database: Database, owner: string): Promise<SavedView[]>;
};

/** `query` has the view's filters, without a leading `?`. */
type SavedView = { id: number; grid: string; name: string; query: string };

export type PortfolioFilter = ListQuery & {
  status: string | undefined;
  group: string | undefined;
  country: string | undefined;
  lastMessage: "never" | { before: number } | undefined;
};

export type PortfolioProperty = {
  code: string;
  name: string;
  status: string;
  currency: string;
  timeZone: string;
  horizonDays: number;
  lastMessageAt: number | undefined;
};

/** Opens the grid for the property in the query. Throws `NotFoundException` if the property or category does not exist. */
export async function openProperty(sources: GridSources, base: Path, query: GridQuery): Promise<GridContext> {
  const { database, clock } = sources;
  const [property, stored, retired] = await Promise.all([
    sources.findProperty(database, query.property),
    sources.categoriesOf(database, query.property),
    query.asOf === undefined ? sources.retiredPlansOf(database, query.property) : NO_PLANS,
  ]);
  if (!property) throw new NotFoundException(`Property '${query.property}' not found`);
  for (const category of [query.category, query.nightRow.category]) {
    if (category !== "" && !stored.some(({ code }) => code === category))
      throw new NotFoundException(`Category '${query.property}/${category}' not found`);
  }
  const now = clock.now();
  const today = todayIn(property.timeZone, now);
  const first = query.from ?? firstNight(query, today);
  const onSaleFrom = todayIn(property.timeZone, query.asOf ?? now);
  const dates = saleDates(property, { first, count: query.days, today: onSaleFrom });
  const categories = stored.map((one) => ({ ...one, inactive: query.asOf === undefined ? findInactiveRecord(property, one) : undefined }));
  return { base, query, property, categories, retired, first, today, dates, now, days: daysFrom(first, query.days, today) };
}

const NO_PLANS: ReadonlySet<string> = new Set();

function firstNight({ night, days }: GridQuery, today: Night): Night {
  return night === undefined || (night >= today && night < today + days) ? today : night;
}

/** Limits a grid to one night and to the selected night's category. */
export function limitToNight(context: GridContext, night: Night): GridContext {
  const { query, dates, first, property, today } = context;
  return {
    ...context,
    query: { ...query, category: query.nightRow.category, plan: "", days: 1 },
    first: night,
    days: daysFrom(night, 1, today),
    dates: saleDates(property, { first: night, count: 1, today: first + dates.past }),
  };
}

export function inactiveBadge({ inactive }: GridCategory): Html {
  return inactive === undefined ? emptyHtml : html` <span class="badge warn">Inactive</span>`;
}

export function shownCategories({ categories, query }: GridContext): GridContext["categories"] {
  return query.category === "" ? categories : categories.filter(({ code }) => code === query.category);
}

export function gridJson<Row extends { category: GridCategory }>(
  context: GridContext,
  rows: readonly Row[],
  categoryJson: (category: GridCategory, rows: readonly Row[]) => object,
): object {
  const { property, days, query } = context;
  const rowsByCategory = Map.groupBy(rows, ({ category }) => category.code);
  const categories = shownCategories(context).filter(({ code }) => rowsByCategory.has(code));
  return {
    property: property.code,
    from: days[0]!.iso,
    days: days.length,
    asOf: query.asOf === undefined ? undefined : new Date(query.asOf).toISOString(),
    categories: categories.map((category) => ({
      code: category.code,
      name: category.name,
      ...categoryJson(category, rowsByCategory.get(category.code)!),
    })),
  };
}
