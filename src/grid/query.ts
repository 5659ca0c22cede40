import { DAY_MS, formatNight, type Night, parseNight } from "../calendar/night.ts";
import { quote } from "../text.ts";
import { type Faults, readTyped, type TypedValues } from "../web/form.ts";
import { listFormat, type ListFormat } from "../web/negotiate.ts";
import { readMoment } from "../web/parts/moment.ts";
import { readSelection, type GridSelection } from "./selection.ts";

export const GRID_DAYS = [7, 14, 28, 31] as const;
export const DEFAULT_DAYS = 14;
const GRID_DAYS_TEXT = `${GRID_DAYS.slice(0, -1).join(", ")} or ${GRID_DAYS.at(-1)!}`;
const ROW_FILTERS = ["gaps", "closed", "zero", "changed1", "changed7", "stale2", "stale7", "stale30"] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** Whether columns are too narrow for words, so that cells show symbols instead. */
export function isDense({ view, days }: Pick<GridQuery, "view" | "days">): boolean {
  return view === "grid" && days > DEFAULT_DAYS;
}

/** Identifies a row: a rate plan, a physical room, or a whole category if both are empty. */
export type NightRow = { category: string; plan: string; room: string };

/** The data to compare a grid with: an earlier or later state, other dates, or the same weekdays last year. */
export type ComparisonTarget = { at: number } | { from: Night } | "year";

/** The query of `/inventories` and `/rates`. Absent codes are empty. Invalid fields have their default value and an entry in `faults`. */
export type GridQuery = {
  rows: "plan" | "room";
  property: string;
  category: string;
  plan: string;
  from: Night | undefined;
  days: number;
  view: "grid" | "list" | "calendar";
  /** Time to show, in milliseconds since 1970. */
  asOf: number | undefined;
  compare: ComparisonTarget | undefined;
  only: RowFilter | undefined;
  updatedBefore: number | undefined;
  changedSince: number | undefined;
  night: Night | undefined;
  nightRow: NightRow;
  format: ListFormat;
  selection: GridSelection | undefined;
  /** `night` and `selection` request only the panel for the selected nights. */
  part: "page" | "night" | "selection";
  typed: TypedValues;
  faults: Faults;
};

export function readGridQuery(query: unknown, rows: GridQuery["rows"], now: number): GridQuery {
  const typed = readTyped(query);
  const faults: Record<string, string> = {};
  const rowFilter = readRowFilter(typed, faults);
  const asOf = readAsOf(typed, faults, now);
  const cell = readAt(typed, rows, faults);
  return {
    rows,
    property: typed.property || (cell?.property ?? ""),
    category: typed.category ?? "",
    plan: typed.plan ?? "",
    from: readDate(typed.from || cell?.from, "from", faults),
    days: readDays(typed, faults),
    view: typed.view === "list" || typed.view === "calendar" ? typed.view : "grid",
    asOf,
    compare: readComparison(typed, faults, now),
    only: rowFilter,
    updatedBefore: daysBefore(now, "stale", rowFilter),
    changedSince: daysBefore(asOf ?? now, "changed", rowFilter),
    night: readDate(cell?.date ?? typed.night, "night", faults),
    nightRow: cell?.row ?? readNightRow(typed),
    format: listFormat(typed),
    selection: readSelectedNight(typed, rows, faults),
    part: typed.part === "night" || typed.part === "selection" ? typed.part : "page",
    typed,
    faults,
  };
}

/** `date` selects a night; `from` only sets where the grid starts. */
type SelectedNightKey = { property: string; row: NightRow; date?: string; from?: string };

const NO_ROW: NightRow = { category: "", plan: "", room: "" };

/**
 * Reads `at`, the short form of a night in links: `property/category/row/date`, in which the row is a rate plan, a room or empty. The
 * form `property/date` only sets the first night of the property's grid.
 */
function readAt({ at = "" }: TypedValues, rows: GridQuery["rows"], faults: Record<string, string>): SelectedNightKey | undefined {
  if (at === "") return undefined;
  const parts = at.split("/");
  const [property = "", category = "", code = "", date] = parts;
  if (parts.length === 2) return { property, row: NO_ROW, from: category };
  if (parts.length === 4) return { property, row: { category, plan: "", room: "", [rows]: code }, date: date! };
  faults.night = `Enter a night as property/category/row/date, not “${quote(at)}”`;
  return undefined;
}

function readSelectedNight(
  { select = "" }: TypedValues,
  rows: GridQuery["rows"],
  faults: Record<string, string>,
): GridSelection | undefined {
  const selection = select === "" ? undefined : readSelection(select, rows);
  if (select !== "" && !selection) faults.select = `Enter a selection such as 2027-03-01/2027-03-07,DBL/BAR, not “${quote(select)}”`;
  return selection;
}

function readNightRow({ nightCategory, nightPlan = "", nightRoom = "", category = "", plan = "", room = "" }: TypedValues): NightRow {
  return nightCategory ? { category: nightCategory, plan: nightPlan, room: nightRoom } : { category, plan, room };
}

/** If `only` is `prefix` followed by a number of days, returns the time that many days before `moment`. */
function daysBefore(moment: number, prefix: string, only: RowFilter | undefined): number | undefined {
  return only?.startsWith(prefix) ? moment - Number(only.slice(prefix.length)) * DAY_MS : undefined;
}

/** First night that can be selected. All stored nights are later. */
const FIRST_NIGHT = parseNight("1990-01-01")!;
const LAST_NIGHT = parseNight("2199-12-31")!;

export function readDate(text = "", name: "from" | "to" | "night" | "compare", faults: Record<string, string>): Night | undefined {
  if (text === "") return undefined;
  const night = parseNight(text);
  if (night !== undefined && night >= FIRST_NIGHT && night <= LAST_NIGHT) return night;
  faults[name] =
    night === undefined
      ? `Enter a date such as 2027-03-01, not “${quote(text)}”`
      : `Enter a date from ${formatNight(FIRST_NIGHT)} to ${formatNight(LAST_NIGHT)}, not ${text}`;
  return undefined;
}

function readDays(typed: TypedValues, faults: Record<string, string>): number {
  const text = typed.days ?? "";
  if (text === "") return DEFAULT_DAYS;
  const days = GRID_DAYS.find((one) => String(one) === text);
  if (days === undefined) faults.days = `Choose ${GRID_DAYS_TEXT} days, not “${quote(text)}”`;
  return days ?? DEFAULT_DAYS;
}

function readRowFilter(typed: TypedValues, faults: Record<string, string>): RowFilter | undefined {
  const text = typed.only ?? "";
  const rowFilter = ROW_FILTERS.find((filter) => filter === text);
  if (rowFilter === undefined && text !== "") faults.only = `Choose a row filter from the list, not “${quote(text)}”`;
  return rowFilter;
}

function readAsOf(typed: TypedValues, faults: Record<string, string>, now: number): number | undefined {
  return readPast(typed.asOf ?? "", "asOf", { faults, now });
}

/** A full time selects the state to compare with; a date alone selects the first night to compare with. */
function readComparison({ compare: text = "" }: TypedValues, faults: Record<string, string>, now: number): ComparisonTarget | undefined {
  if (text === "year") return text;
  if (text.includes(":")) {
    const at = readPast(text, "compare", { faults, now });
    return at === undefined ? undefined : { at };
  }
  const from = readDate(text, "compare", faults);
  if (text !== "" && parseNight(text) === undefined)
    faults.compare = `Enter a date, a date and time such as 2027-03-01T14:30, or “year”, not “${quote(text)}”`;
  return from === undefined ? undefined : { from };
}

type PastBounds = { faults: Record<string, string>; now: number };

function readPast(text: string, name: "asOf" | "compare", { faults, now }: PastBounds): number | undefined {
  if (text === "") return undefined;
  const moment = readMoment(text, "first");
  if (moment !== undefined && moment <= now) return moment;
  faults[name] =
    moment === undefined ? `Enter a date and time such as 2027-03-01T14:30, not “${quote(text)}”` : "Enter a date and time in the past";
  return undefined;
}
