import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { SearchTextRow } from "../../db/schema.ts";
import { wordsCondition, matchesWords, wantedWords } from "../../records/search.ts";

/** `properties` limits the result to these codes; undefined means all. */
export type RecordSearch = { q: string; properties: readonly string[] | undefined; limit: number };

/** Only properties have a city. */
export type FoundRecord = { property: string; code: string; name: string | undefined; city: string | undefined };

const TABLE_BY_KIND = { property: "property", category: "category", plan: "rate_plan" } as const;

type Row = { property: string; code: string; name: string | null; city: string | null };

/** Omits archived properties and their records. Sorts code matches first, then words that start with the first word of the query. */
export async function searchRecords(
  { read }: Database,
  kind: SearchTextRow["kind"],
  { q, properties, limit }: RecordSearch,
): Promise<FoundRecord[]> {
  const [first = ""] = wantedWords(q);
  const rankExpression = sql`case when words || ' ' like ${` ${first} %`} then 0 when words like ${`% ${first}%`} then 1 else 2 end`;
  const propertyCondition = properties === undefined ? sql`1 = 1` : sql`property in (${sql.join(properties)})`;
  const rankedMatches = sql`select property, code, words, ${rankExpression} as rank from search_text where ${wordsCondition(kind, q)} and ${propertyCondition}
    and property not in (select code from property where status = 'archived')
    order by rank, words, property, code limit ${limit}`;
  const isSame = kind === "property" ? sql`r.code = s.property` : sql`r.property = s.property and r.code = s.code`;
  const cityColumn = kind === "property" ? sql.ref("r.city") : sql`null`;
  const { rows } = await sql<Row>`select s.property, s.code, r.name, ${cityColumn} as city
    from (${rankedMatches}) as s join ${sql.table(TABLE_BY_KIND[kind])} as r on ${isSame} order by s.rank, s.words, s.property, s.code`.execute(
    read,
  );
  return rows.map(({ name, city, ...key }) => ({ ...key, name: name ?? undefined, city: city ?? undefined }));
}

/** Compares names in memory, ignoring accents, because there are few senders. */
export async function searchSenders({ read }: Database, { q, limit }: RecordSearch): Promise<string[]> {
  const searchWords = wantedWords(q);
  if (searchWords.length === 0) return [];
  const rows = await read.selectFrom("sender").select("name").orderBy("name").execute();
  return rows
    .map(({ name }) => name)
    .filter((name) => matchesWords(searchWords, [name]))
    .slice(0, limit);
}
