import { sql } from "kysely";
import type { Database, Statement } from "../db/database.ts";
import type { CategoryRow, PropertyRow, SearchWordRow } from "../db/schema.ts";

type Searchable = { kind: "property" | "category"; property: string; code: string };

/** Limits the results, and the rows per read. A search with more matches needs another word, not another page. */
const SEARCH_LIMIT = 500;
const MAX_WORD_BYTES = 40;
const MAX_WORDS = 60;

export function wantedWords(q: string): string[] {
  return [...new Set(plainWords(q))].slice(0, MAX_WORDS);
}

function searchWordsOf(texts: readonly (string | null | undefined)[]): string[] {
  const words = plainWords(texts.join(" "));
  return [...new Set([...words, ...words.flatMap(suffixesOf)])].slice(0, MAX_WORDS);
}

/** Suffixes that start where a new word may begin: ホテル finds 東京ホテル. */
function suffixesOf(word: string): string[] {
  return [...word.matchAll(WORD_STARTS)].map(({ index }) => word.slice(index));
}

/**
 * Matches before characters of scripts without spaces between words. NFKD decomposes Hangul, so a syllable starts with one of U+1100 to
 * U+1112.
 */
const WORD_STARTS =
  /(?<=.)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u1100-\u1112])/gu;

/** Lower-case words without accents: `Zürich-Weiß` has `zurich` and `weiss`. */
export function plainWords(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const replaced = plain.replaceAll(LETTER, (letter) => LETTERS[letter]!);
  return replaced.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Letters that Unicode does not decompose, as people type them. ς is the final form of σ. */
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

export function matches(wanted: readonly string[], texts: readonly (string | null | undefined)[]): boolean {
  if (wanted.length === 0) return true;
  const words = searchWordsOf(texts);
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

type PropertyTexts = Pick<PropertyRow, "code" | "name" | "city" | "region" | "country" | "group_name" | "external_id">;
type CategoryTexts = Pick<CategoryRow, "property" | "code" | "name" | "kind">;

export function propertyTexts(row: PropertyTexts) {
  return [row.code, row.name, row.city, row.region, row.country, countryName(row.country), row.group_name, row.external_id];
}

/** People type the name of a country, not its code. */
function countryName(code: string | null): string | undefined {
  if (code === null) return undefined;
  countries ??= new Intl.DisplayNames("en", { type: "region" });
  return countries.of(code);
}

/** Lazy, because loading it takes 10 ms. */
let countries: Intl.DisplayNames | undefined;

export function categoryTexts(row: CategoryTexts) {
  return [row.property, row.code, row.name, row.kind];
}

export function propertyWords(row: PropertyTexts): SearchWordRow[] {
  return wordRows({ kind: "property", property: row.code, code: "" }, propertyTexts(row));
}

export function categoryWords(row: CategoryTexts): SearchWordRow[] {
  return wordRows({ kind: "category", property: row.property, code: row.code }, categoryTexts(row));
}

export function propertySearchStatements(row: PropertyTexts): Statement[] {
  return replaceWords({ kind: "property", property: row.code, code: "" }, propertyWords(row));
}

export function categorySearchStatements(row: CategoryTexts): Statement[] {
  return replaceWords({ kind: "category", property: row.property, code: row.code }, categoryWords(row));
}

/** Drops duplicates, because truncated words may be equal. */
function wordRows(record: Searchable, texts: readonly (string | null | undefined)[]): SearchWordRow[] {
  const words = new Map(searchWordsOf(texts).map((word) => [toBytes(word).toString("hex"), toBytes(word)]));
  return [...words.values()].map((word) => ({ ...record, word }));
}

function replaceWords({ kind, property, code }: Searchable, rows: readonly SearchWordRow[]): Statement[] {
  const clear = { sql: "delete from search_word where property = ? and code = ? and kind = ?", values: [property, code, kind] };
  if (rows.length === 0) return [clear];
  const placeholders = Array(rows.length).fill("(?, ?, ?, ?)").join(", ");
  const values = rows.flatMap((row) => [row.kind, row.word, row.property, row.code]);
  return [clear, { sql: `insert into search_word (kind, word, property, code) values ${placeholders}`, values }];
}

export type SearchKey = Omit<Searchable, "kind">;

type Search<Key> = { q: string; kind: Searchable["kind"]; keep(keys: readonly SearchKey[]): Promise<readonly Key[]> };

/** Records in which each word of `q` is the start of a word. If not `exact`, there are more. */
export type Found<Key> = { keys: Key[]; exact: boolean };

export async function search<Key>(database: Database, { q, kind, keep }: Search<Key>): Promise<Found<Key>> {
  const keys: Key[] = [];
  for await (const some of findByWords(database, kind, wantedWords(q))) {
    if (some.length > 0) keys.push(...(await keep(some)));
    if (keys.length > SEARCH_LIMIT) return { keys: keys.slice(0, SEARCH_LIMIT), exact: false };
  }
  return { keys, exact: true };
}

type Prefix = { kind: Searchable["kind"]; first: Buffer; end: Buffer };

/** Reads the words with the rarest prefix and yields each record that also matches the others, once. */
async function* findByWords(database: Database, kind: Searchable["kind"], wanted: readonly string[]): AsyncGenerator<SearchKey[]> {
  const [rarest, ...others] = await findRarest(database, kind, wanted);
  if (!rarest) return;
  const seen = new Set<string>();
  const isNew = ({ property, code }: SearchKey) => seen.size !== seen.add(`${property}/${code}`).size;
  let last: Omit<SearchWordRow, "kind"> = { word: rarest.first, property: "", code: "" };
  for (let read = SEARCH_LIMIT; read === SEARCH_LIMIT;) {
    const rows = await readAfter(database, last, { rarest, others });
    yield rows.filter((row) => row.fits && isNew(row));
    read = rows.length;
    last = rows.at(-1) ?? last;
  }
}

async function findRarest(database: Database, kind: Searchable["kind"], wanted: readonly string[]): Promise<Prefix[]> {
  const counted: { prefix: Prefix; records: number }[] = [];
  for (const word of wanted) {
    const prefix = prefixRange(kind, word);
    const records = await countRecords(database, prefix);
    if (records === 0) return [];
    counted.push({ prefix, records });
  }
  return counted.toSorted((one, other) => one.records - other.records).map(({ prefix }) => prefix);
}

async function countRecords({ read }: Database, { kind, first, end }: Prefix): Promise<number> {
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

/** Uses a single lower bound, and looks up the other words by record. Otherwise SQLite would start at the wrong end of its index. */
function readAfter({ read }: Database, last: Omit<SearchWordRow, "kind">, { rarest, others }: { rarest: Prefix; others: Prefix[] }) {
  const has = ({ first }: Prefix) => sql`exists (select 1 from search_word as w
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

/** 0xff never occurs in UTF-8, so it sorts after every word with this prefix. */
function prefixRange(kind: Searchable["kind"], word: string): Prefix {
  const first = toBytes(word);
  return { kind, first, end: Buffer.concat([first, Buffer.from([0xff])]) };
}

/** Truncates by bytes, so that truncated words and prefixes still match. */
function toBytes(word: string): Buffer {
  return Buffer.from(word).subarray(0, MAX_WORD_BYTES);
}
