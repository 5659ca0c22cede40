import { DAY_MS, formatNight, type Night, parseNight } from "../calendar/night.ts";
import { quoted } from "../text.ts";
import { type Faults, readTyped, type Typed } from "../web/form.ts";
import { formatOf, type ListFormat } from "../web/negotiate.ts";
import { readMoment } from "../web/parts/moment.ts";

/** How many days a grid can show. */
export const GRID_DAYS = [7, 14, 28] as const;
/** Which rows alone a grid can show; a number is of days. */
const PROBLEMS = ["gaps", "closed", "zero", "changed1", "changed7", "stale2", "stale7", "stale30"] as const;
export type Problem = (typeof PROBLEMS)[number];

/** A row by its codes: of a rate plan, of a single room, or of the whole category. */
export type NightRow = { category: string; plan: string; room: string };

/** What `/inventories` and `/rates` are asked for; codes are empty when absent. What cannot be read has its default and a fault. */
export type GridQuery = {
  /** What the rows of this grid are, beside categories. */
  rows: "plan" | "room";
  property: string;
  category: string;
  plan: string;
  /** Absent: today at the property. */
  from: Night | undefined;
  days: number;
  view: "grid" | "list" | "calendar";
  /** Shows what was known then, in milliseconds since 1970. */
  asOf: number | undefined;
  /** Rows that have such a night, or that were or were not changed for so many days. */
  only: Problem | undefined;
  /** Rows that were updated at this moment or later are left out. */
  updatedBefore: number | undefined;
  /** Rows whose nights are all as they were at this moment are left out. */
  changedSince: number | undefined;
  /** The night whose history is shown, and the row that it stands in, which the grid need not be narrowed to. */
  night: Night | undefined;
  nightRow: NightRow;
  format: ListFormat;
  typed: Typed;
  faults: Faults;
};

/**
 * Reads the query of a grid, whose rows are rate plans or rooms; `now` in milliseconds since 1970. A broken field has a fault and its
 * default.
 */
export function readGridQuery(query: unknown, rows: GridQuery["rows"], now: number): GridQuery {
  const typed = readTyped(query);
  const faults: Record<string, string> = {};
  const only = readOnly(typed, faults);
  const asOf = readAsOf(typed, faults, now);
  const cell = readAt(typed, rows, faults);
  return {
    rows,
    property: typed.property || (cell?.property ?? ""),
    category: typed.category ?? "",
    plan: typed.plan ?? "",
    from: readDate(typed.from, "from", faults),
    days: readDays(typed, faults),
    view: typed.view === "list" || typed.view === "calendar" ? typed.view : "grid",
    asOf,
    only,
    updatedBefore: daysBefore(now, "stale", only),
    changedSince: daysBefore(asOf ?? now, "changed", only),
    night: readDate(cell?.date ?? typed.night, "night", faults),
    nightRow: cell?.row ?? readNightRow(typed),
    format: formatOf(typed),
    typed,
    faults,
  };
}

type NightAt = { property: string; row: NightRow; date: string };

/** Reads `at`, by which a cell names its night: `property/category/row/date`, where the row is a rate plan, a room or empty. */
function readAt({ at = "" }: Typed, rows: GridQuery["rows"], faults: Record<string, string>): NightAt | undefined {
  if (at === "") return undefined;
  const [property = "", category = "", code = "", date, ...more] = at.split("/");
  if (date !== undefined && more.length === 0) return { property, row: { category, plan: "", room: "", [rows]: code }, date };
  faults.night = `Enter a night as property/category/row/date, not “${quoted(at)}”`;
  return undefined;
}

/** The row that the night names itself, else the one that the grid is narrowed to. */
function readNightRow({ nightCategory, nightPlan = "", nightRoom = "", category = "", plan = "", room = "" }: Typed): NightRow {
  return nightCategory ? { category: nightCategory, plan: nightPlan, room: nightRoom } : { category, plan, room };
}

/** The moment so many days back, where `only` is the word with the number of days. */
function daysBefore(moment: number, word: string, only: Problem | undefined): number | undefined {
  return only?.startsWith(word) ? moment - Number(only.slice(word.length)) * DAY_MS : undefined;
}

/** Further apart than this no nights are kept; also keeps "Next" from running out of the calendar. */
const FIRST = parseNight("1990-01-01")!;
const LAST = parseNight("2199-12-31")!;

function readDate(text = "", name: "from" | "night", faults: Record<string, string>): Night | undefined {
  if (text === "") return undefined;
  const night = parseNight(text);
  if (night !== undefined && night >= FIRST && night <= LAST) return night;
  faults[name] =
    night === undefined
      ? `Enter a date such as 2027-03-01; “${quoted(text)}” is none`
      : `Enter a date from ${formatNight(FIRST)} to ${formatNight(LAST)}, not ${text}`;
  return undefined;
}

function readDays(typed: Typed, faults: Record<string, string>): number {
  const text = typed.days ?? "";
  if (text === "") return 14;
  const days = GRID_DAYS.find((one) => String(one) === text);
  if (days === undefined) faults.days = `Choose 7, 14 or 28 days, not “${quoted(text)}”`;
  return days ?? 14;
}

function readOnly(typed: Typed, faults: Record<string, string>): Problem | undefined {
  const text = typed.only ?? "";
  const only = PROBLEMS.find((problem) => problem === text);
  if (only === undefined && text !== "") faults.only = `Choose which rows to show from the list, not “${quoted(text)}”`;
  return only;
}

function readAsOf(typed: Typed, faults: Record<string, string>, now: number): number | undefined {
  const text = typed.asOf ?? "";
  if (text === "") return undefined;
  const moment = readMoment(text, "first");
  if (moment !== undefined && moment <= now) return moment;
  faults.asOf =
    moment === undefined ? `Enter a date and time such as 2027-03-01T14:30; “${quoted(text)}” is none` : "Enter a moment in the past";
  return undefined;
}
