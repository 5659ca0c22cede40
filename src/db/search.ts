import { type Kysely, sql } from "kysely";
import type { Database, Statement } from "./database.ts";
import type { CategoryRow, PropertyRow, SearchWordRow, Tables } from "./schema.ts";

/** A record that is found by its words; `code` is empty for a property itself. */
type Searchable = { kind: "property" | "category"; property: string; code: string };

/** How many records a search reads; finding more calls for another word, not another page. */
export const SEARCH_LIMIT = 500;
const WORD_BYTES = 40;
const WORDS_KEPT = 60;

/** The searchable words of texts, each once. */
export function wordsOf(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(plainWords(texts.join(" ")))].slice(0, WORDS_KEPT);
}

/** The words of a text, in lower case and without accents: `Zürich-Weiß` has `zurich` and `weiss`. */
export function plainWords(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const typed = plain.replaceAll(LETTER, (letter) => LETTERS[letter]!);
  return typed.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Letters of their own in Unicode, which people seek beside others; ς is σ at the end of a word. */
const LETTERS: Readonly<Record<string, string>> = {
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
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Whether each wanted word begins one of the words of the texts. */
export function matches(wanted: readonly string[], texts: readonly (string | null | undefined)[]): boolean {
  const words = wordsOf(texts);
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

type PropertyTexts = Pick<PropertyRow, "code" | "name" | "city" | "region" | "country" | "group_name" | "external_id">;
type CategoryTexts = Pick<CategoryRow, "property" | "code" | "name" | "kind">;

/** The texts of a property in which a search looks. */
export function propertyTexts(row: PropertyTexts) {
  return [row.code, row.name, row.city, row.region, row.country, row.group_name, row.external_id];
}

/** The texts of a category in which a search looks. */
export function categoryTexts(row: CategoryTexts) {
  return [row.property, row.code, row.name, row.kind];
}

/** The words of a property, as rows. */
export function propertyWords(row: PropertyTexts): SearchWordRow[] {
  return wordRows({ kind: "property", property: row.code, code: "" }, propertyTexts(row));
}

/** The words of a category, as rows. */
export function categoryWords(row: CategoryTexts): SearchWordRow[] {
  return wordRows({ kind: "category", property: row.property, code: row.code }, categoryTexts(row));
}

/** Write these with a property's row, so that it is found by its words. */
export function propertySearchStatements(row: PropertyTexts): Statement[] {
  return replaceWords({ kind: "property", property: row.code, code: "" }, propertyWords(row));
}

/** Write these with a category's row, so that it is found by its words. */
export function categorySearchStatements(row: CategoryTexts): Statement[] {
  return replaceWords({ kind: "category", property: row.property, code: row.code }, categoryWords(row));
}

/** Two long words can be the same once they are cut. */
function wordRows(record: Searchable, texts: readonly (string | null)[]): SearchWordRow[] {
  const words = new Map(wordsOf(texts).map((word) => [toBytes(word).toString("hex"), toBytes(word)]));
  return [...words.values()].map((word) => ({ ...record, word }));
}

function replaceWords({ kind, property, code }: Searchable, rows: readonly SearchWordRow[]): Statement[] {
  const clear = { sql: "delete from search_word where property = ? and code = ? and kind = ?", values: [property, code, kind] };
  if (rows.length === 0) return [clear];
  const places = Array(rows.length).fill("(?, ?, ?, ?)").join(", ");
  const values = rows.flatMap((row) => [row.kind, row.word, row.property, row.code]);
  return [clear, { sql: `insert into search_word (kind, word, property, code) values ${places}`, values }];
}

/** Runs statements in the transaction `db`. */
export async function runStatements(db: Kysely<Tables>, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    const parts = statement.sql.split("?");
    await sql(Object.assign(parts, { raw: parts }) as TemplateStringsArray, ...statement.values).execute(db);
  }
}

/** Words of one kind of record from `first` on and before `end`. `all` is false when more than `SEARCH_LIMIT` records have one. */
export type Candidates = { kind: Searchable["kind"]; first: Buffer; end: Buffer; all: boolean };

/** The wanted beginning of a word that the fewest records have; undefined when one of them has none. */
export async function findRarest(database: Database, kind: Searchable["kind"], wanted: readonly string[]): Promise<Candidates | undefined> {
  let best: { candidates: Candidates; records: number } | undefined;
  for (const word of wanted) {
    const candidates = beginningWith(kind, word);
    const records = await countRecords(database, candidates);
    if (records === 0) return undefined;
    if (!best || records < best.records) best = { candidates: { ...candidates, all: records <= SEARCH_LIMIT }, records };
  }
  return best?.candidates;
}

/** The keys of the candidates, at most `SEARCH_LIMIT`. */
export function keysOf(db: Kysely<Tables>, { kind, first, end }: Candidates, limit = SEARCH_LIMIT) {
  return db
    .selectFrom("search_word")
    .select(["property", "code"])
    .distinct()
    .where("kind", "=", kind)
    .where("word", ">=", first)
    .where("word", "<", end)
    .limit(limit);
}

async function countRecords(database: Database, candidates: Candidates): Promise<number> {
  const keys = keysOf(database.read, candidates, SEARCH_LIMIT + 1).as("keys");
  const { count } = await database.read
    .selectFrom(keys)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** No byte of UTF-8 is 0xff, so it comes after every word with this beginning. */
function beginningWith(kind: Searchable["kind"], word: string): Candidates {
  const first = toBytes(word);
  return { kind, first, end: Buffer.concat([first, Buffer.from([0xff])]), all: true };
}

/** Cut in bytes, so that a cut word and a cut beginning still meet. */
function toBytes(word: string): Buffer {
  return Buffer.from(word).subarray(0, WORD_BYTES);
}
