import { z } from "zod";
import { SALE_STATES } from "../../../calendar/verdict.ts";
import { PROBLEM_FILTERS } from "../../../grid/portfolio/query.ts";
import { CHANGE_KINDS } from "../../../journal/feed/store.ts";
import { OUTCOME_BADGES } from "../../../journal/work.ts";
import { CATEGORY_FIELDS, CATEGORY_FLAGS } from "../../../records/category/category.ts";
import { PLAN_FIELDS } from "../../../records/plan/plan.ts";
import { PROPERTY_FIELDS, PROPERTY_FLAGS } from "../../../records/property/property.ts";

/** The API's JSON, as described in the OpenAPI document. Absent fields are unknown. */

const time = z.iso.datetime().describe("In UTC");
const night = z.iso.date();
const text = z.string();
const integer = z.int();
const count = { total: integer.describe("Capped at 2,000; if there are more, exact is false"), exact: z.boolean() };

const NUMBER_FIELDS = new Set<string>([
  ...["stars", "latitude", "longitude", "horizonDays", "minChildAge", "maxChildAge"],
  ...["standardOccupancy", "minOccupancy", "maxOccupancy", "maxAdults", "maxChildren", "maxInfants", "rooms", "sortOrder", "size"],
]);

function recordFieldSchemas(names: readonly string[], flags: readonly string[]) {
  const fieldSchema = (name: string) => {
    if (flags.includes(name)) return z.boolean();
    return NUMBER_FIELDS.has(name) ? z.number().optional() : z.union([text, z.array(text), z.number()]).optional();
  };
  return Object.fromEntries(names.map((name) => [name, fieldSchema(name)]));
}

const times = { version: integer.describe("Increases by 1 with each edit"), createdAt: time, updatedAt: time };
const property = z.strictObject({ code: text, ...recordFieldSchemas(PROPERTY_FIELDS, PROPERTY_FLAGS), ...times });
const category = z.strictObject({ hotelCode: text, code: text, ...recordFieldSchemas(CATEGORY_FIELDS, CATEGORY_FLAGS), ...times });

const fieldChange = z.strictObject({ field: text, from: z.unknown(), to: z.unknown() });
const history = {
  history: z.array(z.strictObject({ id: integer, at: time, actor: text, action: text, changes: z.array(fieldChange).optional() }).loose()),
  moreHistory: z.boolean(),
};

const page = {
  page: integer.optional(),
  size: integer,
  next: text.nullable().optional().describe("Pass this value in the `after` parameter to get the next page; null on the last page"),
};

export const propertyList = z.strictObject({ ...count, ...page, properties: z.array(property) });
export const categoryList = z.strictObject({ ...count, ...page, categories: z.array(category) });

export const propertyRecord = property.extend({
  ...{ categories: integer, lastMessageAt: time.optional(), lastCompleteSetAt: time.optional() },
  ...history,
});
export const categoryRecord = category.extend({
  ...{ lastInventoryUpdateAt: time.optional(), lastRateUpdateAt: time.optional() },
  ...history,
});

const ratePlan = z.strictObject({
  ...{
    property: text,
    code: text,
    ...recordFieldSchemas(PLAN_FIELDS, []),
    version: integer,
    createdAt: time,
    updatedAt: time,
    lastSeenAt: time,
  },
  sender: text.optional().describe("The sender that first used the plan"),
  pricedNights: integer.describe("Nights from today to the horizon with a price in any category"),
  lastPrices: z.strictObject({ message: integer, at: time, sender: text.optional() }).optional(),
});
const planEdit = z.strictObject({ message: integer, at: time, summary: text, canUndo: z.boolean() });
export const ratePlanList = z.strictObject({
  plans: z.array(ratePlan),
  edits: z.array(planEdit).describe("The newest merges and removals"),
});

const messageRow = {
  ...{ id: integer, receivedAt: time, property: text.optional(), message: text.optional(), action: text.optional() },
  outcome: z.enum(Object.keys(OUTCOME_BADGES)),
  ...{ status: integer.describe("HTTP status"), milliseconds: z.number(), requestBytes: integer, answerBytes: integer, lines: integer },
  ...{ changedNights: integer, dryRun: z.boolean(), sender: text.optional(), via: text, transport: text },
  ...{ echoToken: text.optional(), timeStamp: text.optional(), remote: text.optional(), sameAs: integer.optional(), summary: text },
};

export const messageList = z.strictObject({
  messages: z.array(z.strictObject(messageRow)),
  next: integer.nullable().describe("Pass this value in the `before` parameter to get the next page; null on the last page"),
});

export const causes = z.strictObject({
  causes: z.array(
    z.strictObject({
      ...{
        code: integer.optional(),
        text: text.describe("The error text, with … in place of values"),
        count: integer.describe("Messages"),
      },
      ...{ firstAt: time, lastAt: time, message: integer.describe("The last message"), example: text },
      ...{ connections: z.array(text), properties: z.array(text) },
    }),
  ),
});

const nightChange = z.looseObject({ category: text, first: night, last: night, field: text, from: z.unknown(), to: z.unknown() });

export const message = z.strictObject({
  ...messageRow,
  notes: z.looseObject({}).describe("Errors, warnings, ignored parts and headers"),
  changes: z.array(nightChange.partial().loose()).nullable().describe("Null if they were removed"),
  request: text.nullable().optional(),
  answer: text.nullable().optional(),
});

export const dryRun = z
  .looseObject({
    status: integer,
    answer: text.nullable().optional(),
    answerHeaders: z.record(text, z.unknown()),
    verdicts: z.array(z.unknown()),
  })
  .describe("The channel's response, and the changes that the message would make");

const PROBLEM_NAMES = PROBLEM_FILTERS.map(([name]) => name).filter((name) => name !== "price");
const summary = z.strictObject({
  ...{ night, available: integer.optional(), price: text.optional(), currency: text.optional() },
  problems: z.array(z.enum(PROBLEM_NAMES)).optional(),
});

const portfolio = z.strictObject({
  ...{ ...count, ...page },
  pendingChanges: integer.describe("Number of changes not yet included in the summaries"),
  complete: z.boolean().describe("Whether every property has been summarised"),
  properties: z.array(z.strictObject({ code: text, name: text, lastMessageAt: time.optional(), nights: z.array(summary) })),
});

const year = z.strictObject({ property: text, nights: z.array(summary) });

const sale = {
  night,
  sale: z.enum(Object.keys(SALE_STATES)),
  reasons: z.array(z.looseObject({ state: text, of: text })),
  message: integer.nullable().optional(),
};
const grid = { property: text, from: night, days: integer };

const inventoryGrid = z.looseObject({
  ...grid,
  categories: z.array(
    z.looseObject({
      code: text,
      name: text,
      rooms: integer.optional(),
      nights: z.array(z.looseObject({ ...sale, available: integer.optional() })),
    }),
  ),
});
const rateGrid = z.looseObject(grid);

export const inventories = z.union([inventoryGrid, portfolio, year]);
export const rates = z.union([rateGrid, portfolio, year]);

const ranges = z.array(z.looseObject({ first: night, last: night, values: z.looseObject({}).optional() }));
const change = z.looseObject({
  ...{ cursor: text, time, property: text, kind: z.enum(CHANGE_KINDS) },
  ...{ category: text.optional(), nights: ranges.optional(), message: integer.nullable().optional() },
});

export const changes = z.strictObject({
  changes: z.array(change),
  cursor: text,
  more: z.boolean().describe("Whether more changes are available immediately"),
});

export const searchResults = z.strictObject({
  groups: z.array(z.strictObject({ title: text, results: z.array(z.strictObject({ label: text, detail: text.optional(), url: text })) })),
});

export const overview = z.looseObject({
  endpoint: text,
  properties: z.strictObject(count),
  categories: z.strictObject(count),
  lastDay: z.looseObject({}),
});

export const problem = z.looseObject({
  ...{ type: z.literal("about:blank"), title: text, status: integer, detail: text.optional() },
  errors: z.record(text, text).optional().describe("Allowed values, by parameter or field"),
  ...{ id: integer.nullable().optional().describe("The entry in the error log"), requestId: text.optional() },
});
