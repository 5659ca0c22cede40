import { type Extra, parseAmount } from "../calendar/amounts.ts";
import { type Attribute, type AttributeValue, type Kind, isFlag } from "../calendar/attributes.ts";
import type { NightChange } from "../calendar/change.ts";
import { formatAmount } from "../calendar/money.ts";
import { formatNight } from "../calendar/night.ts";
import { isMoney } from "../calendar/terms.ts";
import type { ChangeSides } from "./attribute-text.ts";

/** A run of nights that a message changed in one field. */
export function runJson({ kind, category, lane, first, last, ...change }: NightChange): object {
  return { category, ...laneJson(kind, lane), first: formatNight(first), last: formatNight(last), ...changeJson(change) };
}

function laneJson(kind: Kind, lane: string): object {
  if (kind === "rate") return { plan: lane };
  return lane === "" ? {} : { room: lane };
}

/** A change with the field and the values that the grids write as JSON; a side that is absent was nothing received. */
export function changeJson({ column, from, to, currencies }: ChangeSides): object {
  const key = parseAmount(column);
  const sides = { from: valueJson(column, from, currencies?.from), to: valueJson(column, to, currencies?.to) };
  return { field: key ? "amounts" : column, ...key, ...sides, currencies: isMoney(column) ? currencies : undefined };
}

function valueJson(column: Attribute, value: AttributeValue | undefined, currency: AttributeValue = ""): unknown {
  if (value === undefined) return undefined;
  if (isFlag(column)) return value === 1;
  if (column === "extras") return extrasJson(String(value), String(currency));
  return parseAmount(column) ? formatAmount(Number(value), String(currency)) : value;
}

/** What further guests pay, with decimals as text. */
export function extrasJson(extras: string, currency: string): object[] {
  return (JSON.parse(extras) as Extra[]).map((extra) => ({ ...extra, amount: formatAmount(extra.amount, currency) }));
}
