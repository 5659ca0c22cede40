import { type RawBuilder, sql } from "kysely";
import type { Statement } from "../db/database.ts";
import type { CategoryRow, PropertyRow, RatePlanRow, SearchTextRow } from "../db/schema.ts";
import { type InsertTemplate, insertRows } from "../db/statements.ts";

const MAX_SEARCH_WORDS = 20;

export function wantedWords(q: string): string[] {
  return [...new Set(plainWords(q))].slice(0, MAX_SEARCH_WORDS);
}

/** Returns lower-case words without accents: `Zürich-Weiß` becomes `zurich` and `weiss`. */
export function plainWords(text: string): string[] {
  const plainText = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const replacedText = plainText.replaceAll(LETTER_PATTERN, (letter) => LETTER_REPLACEMENTS[letter]!);
  return replacedText.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Common spellings of letters that Unicode doesn't decompose. ς is the final form of σ. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  œ: "oe",
  ø: "o",
  ß: "ss",
  þ: "th",
  ς: "σ",
};
const LETTER_PATTERN = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join("")}]`, "g");

type SearchedValues = readonly (string | null | undefined)[];

/** Returns whether each word in `wanted` occurs within a word of the values. */
export function matchesWords(wanted: readonly string[], searchedValues: SearchedValues): boolean {
  const words = searchText(searchedValues);
  return wanted.every((one) => words.includes(one));
}

/** Puts a space before each word, so that a search can rank matches at the start of a word higher. */
function searchText(searchedValues: SearchedValues): string {
  return plainWords(searchedValues.join(" "))
    .map((word) => ` ${word}`)
    .join("");
}

type SearchedProperty = Pick<PropertyRow, "code" | "name" | "city" | "region" | "country" | "group_name" | "external_id">;
type SearchedCategory = Pick<CategoryRow, "property" | "code" | "name" | "kind">;
type SearchedPlan = Pick<RatePlanRow, "property" | "code" | "name">;

export function propertySearchRow(row: SearchedProperty): SearchTextRow {
  const searchedValues = [row.code, row.name, row.city, row.region, row.country, countryName(row.country), row.group_name, row.external_id];
  return { kind: "property", property: row.code, code: "", words: searchText(searchedValues) };
}

/** Returns a country's name, because users search for countries by name, not by code. */
function countryName(code: string | null): string | undefined {
  if (code === null) return undefined;
  countries ??= new Intl.DisplayNames("en", { type: "region" });
  return countries.of(code);
}

/** Loaded on first use, because loading takes 10 ms. */
let countries: Intl.DisplayNames | undefined;

export function categorySearchRow(row: SearchedCategory): SearchTextRow {
  const words = searchText([row.property, row.code, row.name, row.kind]);
  return { kind: "category", property: row.property, code: row.code, words };
}

export function planSearchRow({ property, code, name }: SearchedPlan): SearchTextRow {
  return { kind: "plan", property, code, words: searchText([property, code, name]) };
}

const INSERT_SEARCH_TEXT: InsertTemplate = {
  into: "insert into search_text (kind, property, code, words)",
  columns: 4,
  conflict: " on conflict (kind, property, code) do update set words = excluded.words",
};

export function writeSearchTexts(rows: readonly SearchTextRow[]): Statement[] {
  return insertRows(
    INSERT_SEARCH_TEXT,
    rows.map(({ kind, property, code, words }) => [kind, property, code, words]),
  );
}

/**
 * Matches rows of `search_text` in which every word of `q` occurs within a word. Scanning the short search text of 50,000 records takes a
 * few milliseconds. Plain words contain no `like` wildcards.
 */
export function wordsCondition(kind: SearchTextRow["kind"], q: string): RawBuilder<boolean> {
  const searchWords = wantedWords(q);
  if (searchWords.length === 0) return sql<boolean>`1 = 0`;
  const wordConditions = searchWords.map((word) => sql`words like ${`%${word}%`}`);
  return sql<boolean>`kind = ${kind} and ${sql.join(wordConditions, sql` and `)}`;
}
