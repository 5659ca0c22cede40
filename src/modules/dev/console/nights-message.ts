import { ADULT_CODE } from "../../../calendar/amounts.ts";
import type { Attribute } from "../../../calendar/attributes.ts";
import type { Database } from "../../../db/database.ts";
import { attributeLabel } from "../../../grid/changes.ts";
import { RECEIVED_READERS, type ReceivedRow, type ReceivedRun } from "../../../grid/received.ts";
import { readSelection, type GridSelection } from "../../../grid/selection.ts";
import { findProperty } from "../../../records/property/store.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";

/** A JSON message with the current values of the selected nights. `missing` lists stored fields that it can't set. */
type NightsMessage = { text: string; values: number; missing: readonly string[] };

type ChosenNights = { select: string; grid: string };

/** Builds the message. Returns undefined if `select` is invalid. */
export async function nightsMessage(
  database: Database,
  property: string,
  { select, grid }: ChosenNights,
): Promise<NightsMessage | undefined> {
  const isRatesGrid = grid === "rates";
  const selection = readSelection(select, isRatesGrid ? "plan" : "room");
  const tax = (await findProperty(database, property))?.pricesIncludeTax ? "after" : "before";
  if (!selection) return undefined;
  const { first, last } = selection;
  const categories = [...new Set(selection.rows.map(({ category }) => category))];
  const rows = await RECEIVED_READERS[isRatesGrid ? "rates" : "inventory"](database, { property, categories, first, last });
  const missingFields = new Set<string>();
  const values = rows
    .filter((row) => isChosenRow(selection, row))
    .flatMap((row) => row.runsIn([{ first, last }]).flatMap((run) => toMessageValues({ property, row, run, tax, missing: missingFields })));
  return { text: JSON.stringify({ values }, undefined, 2), values: values.length, missing: [...missingFields] };
}

export function nightsNotice({ values, missing }: NightsMessage): Html {
  if (values === 0) return html`<p class="notice warn">The selected nights have no values that can be sent in a message.</p>`;
  const omittedText =
    missing.length === 0
      ? emptyHtml
      : html` These values are not in the message, because its format has no field for them: ${missing.join(", ")}.`;
  return html`<p class="notice">This message contains the current values for the selected nights.${omittedText}</p>`;
}

function isChosenRow({ rows }: GridSelection, { category, plan = "", room = "" }: ReceivedRow): boolean {
  return rows.some((row) => row.category === category && row.plan === plan && row.room === room);
}

type ReceivedAmount = { tax: string; guests: number; age: number; nights: number; minAge?: number; maxAge?: number; amount: string };
type ReceivedPrices = { amounts?: readonly ReceivedAmount[]; currency?: string; perPerson?: boolean };
type ReceivedCounts = { available?: number; summed?: boolean };
type Run = { property: string; row: ReceivedRow; run: ReceivedRun; tax: string; missing: Set<string> };

function toMessageValues({ property, row, run: { first, last, values }, tax, missing }: Run): object[] {
  const { amounts, currency, perPerson, available, summed, ...others } = values as ReceivedPrices &
    ReceivedCounts &
    Record<string, unknown>;
  const isCategoryRow = row.room === undefined && summed !== true;
  if (available !== undefined && !isCategoryRow) missing.add("counts for individual rooms");
  const fields = {
    ...(isCategoryRow && available !== undefined && { availability: available }),
    ...priceFields({ amounts, currency, perPerson }, tax, missing),
    ...otherFields(others, missing),
  };
  if (Object.keys(fields).length === 0) return [];
  const plan = row.plan ? { rate_plan_id: row.plan } : {};
  return [{ property_id: property, room_type_id: row.category, ...plan, date_from: first, date_to: last, ...fields }];
}

function priceFields({ amounts = [], currency, perPerson }: ReceivedPrices, tax: string, missing: Set<string>): object {
  const plainAmounts = perPerson === true ? [] : amounts.filter((amount) => isPlainAmount(amount, tax));
  if (plainAmounts.length < amounts.length) missing.add("other amounts, such as those per person, for children or for longer stays");
  if (plainAmounts.length === 0) return {};
  const roomPrice = plainAmounts.find(({ guests }) => guests === 0);
  const rates = plainAmounts.filter(({ guests }) => guests > 0).map(({ guests, amount }) => ({ occupancy: guests, rate: amount }));
  return { ...(roomPrice && { rate: roomPrice.amount }), ...(rates.length > 0 && { rates }), currency };
}

function otherFields(values: Readonly<Record<string, unknown>>, missing: Set<string>): object {
  const sendableFields = Object.entries(values).filter(([name, value]) => {
    const isMissingField = FIELD_BY_ATTRIBUTE[name] === undefined && value !== undefined && value !== false;
    if (isMissingField) missing.add(attributeLabel(name as Attribute).toLowerCase());
    return FIELD_BY_ATTRIBUTE[name] !== undefined;
  });
  return Object.fromEntries(sendableFields.map(([name, value]): [string, unknown] => [FIELD_BY_ATTRIBUTE[name]!, value])) satisfies object;
}

function isPlainAmount({ tax, age, nights, minAge, maxAge }: ReceivedAmount, propertyTax: string): boolean {
  return tax === propertyTax && age === ADULT_CODE && nights <= 1 && minAge === undefined && maxAge === undefined;
}

/** Stored attributes and their field names in the JSON format. */
const FIELD_BY_ATTRIBUTE: Readonly<Record<string, string>> = {
  stopSell: "stop_sell",
  closedToArrival: "closed_to_arrival",
  closedToDeparture: "closed_to_departure",
  minStayArrival: "min_stay_arrival",
  minStayThrough: "min_stay_through",
  maxStayArrival: "max_stay",
};
