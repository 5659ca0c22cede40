import { sql } from "kysely";
import type { Database, Statement } from "../db/database.ts";
import type { CategoryRow, PropertyRow, SearchWordRow } from "../db/schema.ts";

/** A record that is found by its words; `code` is empty for a property itself. */
type Searchable = { kind: "property" | "category"; property: string; code: string };

/** How many records a search finds, and words it reads at once; finding more calls for another word, not another page. */
const SEARCH_LIMIT = 500;
const WORD_BYTES = 40;
const WORDS_KEPT = 60;

/** The words that are searched for, each once. */
export function wantedWords(q: string): string[] {
  return [...new Set(plainWords(q))].slice(0, WORDS_KEPT);
}

/** The words by which texts are found, each once. */
function wordsOf(texts: readonly (string | null | undefined)[]): string[] {
  const words = plainWords(texts.join(" "));
  return [...new Set([...words, ...words.flatMap(endsOf)])].slice(0, WORDS_KEPT);
}

/** The rest of a word from each place where another word may begin: 東京ホテル is found by ホテル. */
function endsOf(word: string): string[] {
  return [...word.matchAll(WITHIN)].map(({ index }) => word.slice(index));
}

/** Before letters of scripts without blanks between words; Hangul is taken apart here, and a syllable of it begins with one of these. */
const WITHIN =
  /(?<=.)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u1100-\u1112])/gu;

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
  if (wanted.length === 0) return true;
  const words = wordsOf(texts);
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

type PropertyTexts = Pick<PropertyRow, "code" | "name" | "city" | "region" | "country" | "group_name" | "external_id">;
type CategoryTexts = Pick<CategoryRow, "property" | "code" | "name" | "kind">;

/** The texts of a property in which a search looks. */
export function propertyTexts(row: PropertyTexts) {
  return [row.code, row.name, row.city, row.region, row.country, countryName(row.country), row.group_name, row.external_id];
}

/** What people type who look for a country: its name, not its code. */
function countryName(code: string | null): string | undefined {
  if (code === null) return undefined;
  countries ??= new Intl.DisplayNames("en", { type: "region" });
  return countries.of(code);
}

/** Made on first use: it takes 10 ms. */
let countries: Intl.DisplayNames | undefined;

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
function wordRows(record: Searchable, texts: readonly (string | null | undefined)[]): SearchWordRow[] {
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

/** What tells a record from others of its kind that are found by their words. */
export type SearchKey = Omit<Searchable, "kind">;

/** What is searched for; `keep` answers those of the records that the list has at all. */
type Search<Key> = { q: string; kind: Searchable["kind"]; keep(keys: readonly SearchKey[]): Promise<readonly Key[]> };

/** Records in which each word of `q` begins a word, at most `SEARCH_LIMIT`; when not `exact`, there are more. */
export type Found<Key> = { keys: Key[]; exact: boolean };

/** Searches in steps, between which others are answered. */
export async function search<Key>(database: Database, { q, kind, keep }: Search<Key>): Promise<Found<Key>> {
  const keys: Key[] = [];
  for await (const some of findByWords(database, kind, wantedWords(q))) {
    if (some.length > 0) keys.push(...(await keep(some)));
    if (keys.length > SEARCH_LIMIT) return { keys: keys.slice(0, SEARCH_LIMIT), exact: false };
  }
  return { keys, exact: true };
}

/** Words of one kind of record from `first` on and before `end`. */
type Beginning = { kind: Searchable["kind"]; first: Buffer; end: Buffer };

/** Goes through the words with the beginning that the fewest records have; each record that has the others, too, is answered once. */
async function* findByWords(database: Database, kind: Searchable["kind"], wanted: readonly string[]): AsyncGenerator<SearchKey[]> {
  const [rarest, ...others] = await findRarest(database, kind, wanted);
  if (!rarest) return;
  const seen = new Set<string>();
  const isNew = ({ property, code }: SearchKey) => seen.size !== seen.add(`${property}/${code}`).size;
  let last: Omit<SearchWordRow, "kind"> = { word: rarest.first, property: "", code: "" };
  for (let read = SEARCH_LIMIT; read === SEARCH_LIMIT;) {
    const rows = await readBehind(database, last, { rarest, others });
    yield rows.filter((row) => row.fits && isNew(row));
    read = rows.length;
    last = rows.at(-1) ?? last;
  }
}

/** The beginnings, that which the fewest records have first; none when no record has one of them. */
async function findRarest(database: Database, kind: Searchable["kind"], wanted: readonly string[]): Promise<Beginning[]> {
  const counted: { beginning: Beginning; records: number }[] = [];
  for (const word of wanted) {
    const beginning = beginningWith(kind, word);
    const records = await countRecords(database, beginning);
    if (records === 0) return [];
    counted.push({ beginning, records });
  }
  return counted.toSorted((one, other) => one.records - other.records).map(({ beginning }) => beginning);
}

async function countRecords({ read }: Database, { kind, first, end }: Beginning): Promise<number> {
  const words = read.selectFrom("search_word").where("kind", "=", kind).where("word", ">=", first).where("word", "<", end);
  const keys = words
    .select(["property", "code"])
    .distinct()
    .limit(SEARCH_LIMIT + 1);
  const { count } = await read
    .selectFrom(keys.as("keys"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * The next words behind this one. With a single lower bound, and with the other words asked by their record, not by kind and word, for
 * SQLite would begin at the wrong end of its index.
 */
function readBehind({ read }: Database, last: Omit<SearchWordRow, "kind">, { rarest, others }: { rarest: Beginning; others: Beginning[] }) {
  const has = ({ first }: Beginning) => sql`exists (select 1 from search_word as w
    where w.property = k.property and w.code = k.code and substr(w.word, 1, ${first.length}) = ${first})`;
  const fits = others.length === 0 ? sql`1 = 1` : sql.join(others.map(has), sql` and `);
  return read
    .selectFrom("search_word as k")
    .select(["k.word", "k.property", "k.code", sql<boolean | number>`${fits}`.as("fits")])
    .where("k.kind", "=", rarest.kind)
    .where(sql<boolean>`(k.word, k.property, k.code) > (${last.word}, ${last.property}, ${last.code})`)
    .where("k.word", "<", rarest.end)
    .orderBy("k.word")
    .orderBy("k.property")
    .orderBy("k.code")
    .limit(SEARCH_LIMIT)
    .execute();
}

/** No byte of UTF-8 is 0xff, so it comes after every word with this beginning. */
function beginningWith(kind: Searchable["kind"], word: string): Beginning {
  const first = toBytes(word);
  return { kind, first, end: Buffer.concat([first, Buffer.from([0xff])]) };
}

/** Cut in bytes, so that a cut word and a cut beginning still meet. */
function toBytes(word: string): Buffer {
  return Buffer.from(word).subarray(0, WORD_BYTES);
}
