import type { MessageFilters } from "../../journal/messages.ts";
import { type Faults, readId, readTyped, type Typed } from "../../web/form.ts";
import { readMoment } from "../../web/read-moment.ts";
import { isOutcome } from "./outcome.ts";

/** The fields of the filter form. */
export const LOG_FIELDS = [
  ...["q", "property", "message", "outcome", "status", "slower", "bytes", "lines", "sender", "via", "from", "to"],
] as const;

/** Where messages come from. */
export const WAYS = ["channel", "console"] as const;

/** What the message log is asked for; a filter that cannot be read filters nothing and has a fault. */
export type LogQuery = { typed: Typed; faults: Faults; filters: MessageFilters; format: "page" | "csv" | "json" };

/** Reads the query of the message log. */
export function readLogQuery(query: unknown): LogQuery {
  const typed = readTyped(query);
  const faults: Record<string, string> = {};
  const text = (name: string) => typed[name]?.slice(0, 200) || undefined;
  const { outcome = "", before = "" } = typed;
  if (outcome !== "" && !isOutcome(outcome)) faults.outcome = "Choose an outcome from the list";
  const filters: MessageFilters = {
    ...defined({ text: text("q"), property: text("property"), root: text("message"), sender: text("sender") }),
    ...defined({ status: wholeOf(typed, faults, "status"), micros: microsOf(wholeOf(typed, faults, "slower")) }),
    ...defined({ bytes: wholeOf(typed, faults, "bytes"), lines: wholeOf(typed, faults, "lines"), via: wayOf(typed, faults) }),
    ...defined({ from: momentOf(typed, faults, "from"), to: momentOf(typed, faults, "to") }),
    ...(isOutcome(outcome) && { outcome }),
    ...defined({ before: readId(before) }),
  };
  const format = typed.format === "csv" || typed.format === "json" ? typed.format : "page";
  return { typed, faults, filters, format };
}

const EXAMPLES = {
  status: "an HTTP status such as 500",
  slower: "milliseconds as a whole number, such as 500",
  bytes: "bytes as a whole number, such as 1000000",
  lines: "a whole number of lines, such as 1000",
};

function wholeOf(typed: Typed, faults: Record<string, string>, name: keyof typeof EXAMPLES): number | undefined {
  const text = typed[name] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (text !== "") faults[name] = `Enter ${EXAMPLES[name]}`;
  return undefined;
}

function wayOf({ via = "" }: Typed, faults: Record<string, string>): MessageFilters["via"] {
  const way = WAYS.find((one) => one === via);
  if (via !== "" && way === undefined) faults.via = "Choose a way from the list";
  return way;
}

function microsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds && milliseconds * 1_000;
}

function momentOf(typed: Typed, faults: Record<string, string>, name: "from" | "to"): number | undefined {
  const text = typed[name] ?? "";
  if (text === "") return undefined;
  const at = readMoment(text, name === "from" ? "first" : "last");
  if (at === undefined) faults[name] = "Enter a date such as 2027-03-01, or a time such as 2027-03-01T14:30";
  return at;
}

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };
}
