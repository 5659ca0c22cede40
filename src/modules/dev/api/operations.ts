import { z } from "zod";
import { GRID_DAYS } from "../../../grid/query.ts";
import { CHANGE_KINDS } from "../../../journal/feed/store.ts";
import { OUTCOME_BADGES } from "../../../journal/work.ts";
import { CATEGORY_STATUSES, categoryForm, newCategoryForm } from "../../../records/category/category.ts";
import { PROPERTY_STATUSES } from "../../../records/property/choices.ts";
import { newPropertyForm, propertyForm } from "../../../records/property/property.ts";
import type { Choices } from "../../../text.ts";
import type { TokenScope } from "../../../web/guard/user.ts";
import { TRANSPORT_CHOICES } from "../console/form.ts";
import * as responses from "./responses.ts";

/** `response` is the JSON of a successful response. Without `response`, a successful request redirects to the record. */
export type Operation = {
  id: string;
  method: "get" | "post";
  path: string;
  summary: string;
  scope: TokenScope;
  query?: Readonly<Record<string, z.ZodType>>;
  form?: z.ZodType;
  response?: z.ZodType;
  /** Other media types of a successful response. */
  media?: readonly string[];
};

const text = z.string();
const night = z.iso.date();
const enumOfCodes = (choices: Choices) => z.enum(choices.map(([code]) => code));

const list = {
  q: text.describe("Words to search for"),
  size: z.enum(["25", "50", "100"]),
  after: text.describe("The next value from the previous response, or empty for the first page. The list is then sorted by key."),
};
const format = { format: z.enum(["json", "csv"]).describe("Response format; you can also send an Accept header") };
const CSV = ["text/csv"];

const grid = {
  ...{ property: text.describe("If omitted, the response lists properties"), from: night },
  days: z.enum(GRID_DAYS.map(String)).describe("Number of nights"),
  ...{ size: list.size, after: list.after },
  asOf: text.describe("Returns the values as of this time"),
  night: night.describe("Adds the verdict and history for this night"),
  format: z.enum(["json", "csv", "ndjson"]).describe("ndjson is a snapshot of every property, with a cursor for the change feed"),
};
const GRID_MEDIA = ["text/csv", "application/x-ndjson"];

const RECORD_ACTION = { scope: "records:write", method: "post" } as const;

/** Every operation that accepts API tokens. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: "readOverview",
    method: "get",
    path: "/",
    summary: "Read the overview",
    scope: "read",
    query: format,
    response: responses.overview,
  },
  {
    ...{ id: "listProperties", method: "get", path: "/property", summary: "List properties", scope: "read" },
    ...{ query: { ...list, status: enumOfCodes(PROPERTY_STATUSES), ...format }, response: responses.propertyList, media: CSV },
  },
  { ...RECORD_ACTION, id: "createProperty", path: "/property/new", summary: "Create a property", form: newPropertyForm },
  {
    ...{ id: "readProperty", method: "get", path: "/property/{code}", summary: "Read a property", scope: "read" },
    ...{ query: format, response: responses.propertyRecord },
  },
  { ...RECORD_ACTION, id: "editProperty", path: "/property/{code}/edit", summary: "Edit a property", form: propertyForm },
  {
    ...{ id: "listCategories", method: "get", path: "/category", summary: "List categories", scope: "read" },
    query: { ...list, hotelCode: text.describe("Property code"), status: enumOfCodes(CATEGORY_STATUSES), ...format },
    ...{ response: responses.categoryList, media: CSV },
  },
  { ...RECORD_ACTION, id: "createCategory", path: "/category/new", summary: "Create a category", form: newCategoryForm },
  {
    ...{ id: "readCategory", method: "get", path: "/category/{hotelCode}/{code}/edit", summary: "Read a category", scope: "read" },
    ...{ query: format, response: responses.categoryRecord },
  },
  { ...RECORD_ACTION, id: "editCategory", path: "/category/{hotelCode}/{code}/edit", summary: "Edit a category", form: categoryForm },
  {
    ...{ id: "listRatePlans", method: "get", path: "/tools/plans", summary: "List a property's rate plans", scope: "read" },
    ...{ query: { property: text.describe("Property code. Required."), ...format }, response: responses.ratePlanList },
  },
  {
    ...{ id: "readInventories", method: "get", path: "/inventories", summary: "Read free rooms and stop sells", scope: "read" },
    ...{ query: grid, response: responses.inventories, media: GRID_MEDIA },
  },
  {
    ...{ id: "readRates", method: "get", path: "/rates", summary: "Read rates and restrictions", scope: "read" },
    ...{ query: { ...grid, plan: text.describe("Rate plan code") }, response: responses.rates, media: GRID_MEDIA },
  },
  {
    ...{ id: "readChanges", method: "get", path: "/changes", summary: "Follow changes", scope: "changes", response: responses.changes },
    query: {
      after: text.describe("Returns changes after this cursor; if omitted, starts with the oldest stored change"),
      limit: z.int().min(1).max(1000),
      wait: z.int().min(0).max(60).describe("Seconds to wait for a change"),
      property: text.describe("Property code; may be repeated"),
      kind: z.enum(CHANGE_KINDS).describe("May be repeated"),
      include: z.enum(["values"]).describe("Adds the new values"),
      format: z.enum(["json", "ndjson", "events"]),
    },
    media: ["application/x-ndjson", "text/event-stream"],
  },
  {
    ...{ id: "listMessages", method: "get", path: "/dev/logs", summary: "List messages, newest first", scope: "read" },
    query: {
      ...{ property: text.describe("Property code"), q: text.describe("Text in the message"), sender: text },
      ...{ outcome: z.enum(Object.keys(OUTCOME_BADGES)), from: text.describe("A date or time"), to: text.describe("A date or time") },
      ...{ before: z.int().describe("The next value from the previous response"), ...format },
      view: z.literal("causes").describe("Groups the newest 500 refused messages by cause"),
    },
    ...{ response: z.union([responses.messageList, responses.causes]), media: CSV },
  },
  {
    ...{ id: "readMessage", method: "get", path: "/dev/logs/{id}", summary: "Read a message and its changes", scope: "read" },
    ...{ query: format, response: responses.message },
  },
  {
    ...{ id: "search", method: "get", path: "/tools/search", summary: "Search properties, categories and messages", scope: "read" },
    ...{ query: { q: text, ...format }, response: responses.searchResults },
  },
  {
    ...{ id: "tryMessage", method: "post", path: "/dev/channel", summary: "Test a message without applying it", scope: "channel:dry-run" },
    form: z.object({ action: z.literal("send"), transport: enumOfCodes(TRANSPORT_CHOICES).optional(), xml: text.describe("The message") }),
    response: responses.dryRun,
  },
];
