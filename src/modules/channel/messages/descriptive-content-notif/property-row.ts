import type { PropertyRow } from "../../../../db/schema.ts";
import { countries } from "../../../../records/property/choices.ts";
import { type Property, PROPERTY_LENGTHS, readPropertyField } from "../../../../records/property/property.ts";
import { fromRow, toRow } from "../../../../records/property/store.ts";
import { firstCharacters, visibleText } from "../../../../text.ts";
import type { DecisionContext } from "../../message.ts";
import { fieldMissing, invalidWord, note } from "../../ota-error.ts";
import { selectBestLanguage } from "../parts/languages.ts";
import type { PropertyField, ParsedProperty, SentGroup, SentValue } from "./property-read.ts";
import { toPlainText } from "./texts.ts";

/** Returns the property's record as changed by the message, or `undefined` if nothing changes. Only fields in the message change. */
export function toChangedProperty(read: ParsedProperty, context: DecisionContext): PropertyRow | undefined {
  const { property, now } = context;
  const before = fromRow(property);
  const sentFields = chooseValues(read, context).map((value) => [value.field, readValue(value, context)] as const);
  const changedFields = sentFields.filter(([field, value]) => value !== undefined && value !== before[field]);
  if (changedFields.length === 0) return undefined;
  const after: Property = {
    ...before,
    ...Object.fromEntries(changedFields),
    version: before.version + 1,
    updatedAt: Math.max(now, before.updatedAt),
  };
  return toRow(after);
}

function chooseValues({ groups }: ParsedProperty, context: DecisionContext): SentValue[] {
  const filledGroups = groups.map(cleanGroup).filter(({ values }) => values.length > 0);
  const byKind = Map.groupBy(filledGroups, ({ kind }) => kind);
  return [...byKind.values()].flatMap((ofKind) => joinValues(chooseGroup(ofKind, context), context));
}

/** Drops empty values, because they would not change anything. */
function cleanGroup(group: SentGroup): SentGroup {
  const values = group.values.map((value) => ({ ...value, text: formatText(value, group).trim() }));
  return { ...group, values: values.filter(({ text }) => text !== "") };
}

function formatText({ field, text }: SentValue, { format }: SentGroup): string {
  return field === "description" ? toPlainText({ format, text }) : visibleText(text).replaceAll(/\s+/g, " ");
}

function chooseGroup(groups: readonly SentGroup[], { property }: DecisionContext): SentGroup {
  const bestRank = Math.min(...groups.map(({ rank }) => rank));
  const bestRankedGroups = groups.filter(({ rank }) => rank === bestRank);
  const bestGroups = selectBestLanguage(bestRankedGroups, property);
  return bestGroups.find(({ format }) => format !== "HTML") ?? bestGroups[0]!;
}

/** Joins address lines and the parts of a name. Requires both coordinates for a position. */
function joinValues({ kind, values }: SentGroup, { report }: DecisionContext): SentValue[] {
  if (kind === "position" && values.length === 1) {
    const missingCoordinate = values[0]!.field === "latitude" ? "Longitude" : "Latitude";
    report.error(fieldMissing(`${missingCoordinate} of Position`), values[0]!.at);
    return [];
  }
  const byField = Map.groupBy(values, ({ field }) => field);
  return [...byField.values()].map((parts) => ({ ...parts[0]!, text: parts.map(({ text }) => text).join(separatorFor(parts[0]!)) }));
}

function separatorFor({ field }: SentValue): string {
  return field === "contactName" ? " " : ", ";
}

function readValue(value: SentValue, context: DecisionContext): Property[PropertyField] {
  const { field, source, at } = value;
  const text = NORMALISERS[field]?.(value.text) ?? value.text;
  if (field === "stars" && isScore(text, source)) {
    context.report.warn(note(`${source} ${value.text} is not a number of stars and is not stored`), at);
    return undefined;
  }
  const { problem, value: read } = readPropertyField(field, truncate(text, value, context));
  if (problem === undefined) return read;
  if (field === "website") context.report.warn(note(`${source} ${value.text} is not stored; allowed: ${problem}`), at);
  else context.report.error(invalidWord(value.text, source, problem), at);
  return undefined;
}

/** Whether an award is a review score, such as 95 out of 100. */
function isScore(text: string, source: string): boolean {
  return source === "Rating" && Number(text) > 5;
}

function truncate(text: string, { field, at }: SentValue, { report }: DecisionContext): string {
  if (field !== "name" && field !== "description") return text;
  const maxLength = PROPERTY_LENGTHS[field];
  const shortenedText = firstCharacters(text, maxLength);
  if (shortenedText !== text) report.warn(note(`the ${field} of the property was shortened to ${maxLength} characters`), at);
  return shortenedText;
}

const NORMALISERS: Partial<Record<PropertyField, (text: string) => string>> = {
  latitude: roundDegrees,
  longitude: roundDegrees,
  checkInFrom: toMinutes,
  checkInUntil: toMinutes,
  checkOutUntil: toMinutes,
  country: toCountryCode,
  stars: (text) => (/^\d(?:[.,]\d+)?$/.test(text) ? String(Number(text.replace(",", "."))) : text),
};

/** Rounds to seven decimal places, which is precise to about a centimetre. */
function roundDegrees(text: string): string {
  return /^[+-]?\d{1,3}(\.\d+)?$/.test(text) ? String(Number(Number(text).toFixed(7))) : text;
}

/** Removes seconds and the time zone, because times are local to the property. */
function toMinutes(text: string): string {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return hours === undefined ? text : `${hours.padStart(2, "0")}:${minutes}`;
}

/** Accepts a country's name too, because some senders send it instead of the code. */
function toCountryCode(text: string): string {
  const matchingCountry = countries().find(([, name]) => name.toLowerCase() === text.toLowerCase());
  return matchingCountry?.[0] ?? text.toUpperCase();
}
