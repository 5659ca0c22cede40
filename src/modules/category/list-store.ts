import { countRows } from "../../db/count.ts";
import type { Database } from "../../db/database.ts";
import { batchesOf, inBatches, inOrder, type Listed, type Order, pageOf, search, slice } from "../../db/listing.ts";
import { type Candidates, categoryTexts, keysOf, matches, wordsOf } from "../../db/search.ts";
import type { ListQuery } from "../../web/parts/list.ts";
import { isCode } from "../property/property.ts";
import type { Category } from "./category.ts";
import { fromRow } from "./row.ts";
import type { CategoryKey } from "./store.ts";

/** The columns that the list can be sorted by; each has an index. */
export const CATEGORY_SORTS = ["hotelCode", "name"] as const;

/** Which categories to list; `hotelCode` is empty for those of all properties, `status` absent for those of any. */
export type CategoryQuery = ListQuery & { hotelCode: string; status?: string | undefined };

/** One page of the categories, all or those in which each word of `q` begins a word, and how many there are. */
export async function listCategories(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  if (query.hotelCode !== "") return listOfProperty(database, query);
  if (query.q !== "") return searchCategories(database, query);
  const rows = await pageOf(listed(database, query).selectAll(), orderOf(query), query).execute();
  return { lines: rows.map(fromRow), count: await countRows(database, listed(database, query).select("c.code as key")) };
}

/** A property has few enough categories to look at each. */
async function listOfProperty(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  if (!isCode(query.hotelCode)) return { lines: [], count: { total: 0, exact: true } };
  const wanted = wordsOf([query.q]);
  const rows = await inOrder(listed(database, query).selectAll().where("c.property", "=", query.hotelCode), orderOf(query)).execute();
  const found = query.q === "" ? rows : rows.filter((row) => wanted.length > 0 && matches(wanted, categoryTexts(row)));
  return { lines: slice(found, query).map(fromRow), count: { total: found.length, exact: true } };
}

async function searchCategories(database: Database, query: CategoryQuery): Promise<Listed<Category>> {
  const select = (candidates: Candidates) => selectTexts(database, candidates, query);
  const found = await search(database, { ...query, kind: "category", select, textsOf: categoryTexts });
  const keys = found.lines.map(({ property, code }) => ({ hotelCode: property, code }));
  return { ...found, lines: await readCategories(database, keys) };
}

function selectTexts(database: Database, candidates: Candidates, query: CategoryQuery) {
  const keys = keysOf(database.read, candidates).as("k");
  const texts = listed(database, query)
    .innerJoin(keys, (join) => join.onRef("c.property", "=", "k.property").onRef("c.code", "=", "k.code"))
    .select(["c.property", "c.code", "c.name", "c.kind"]);
  return inOrder(texts, orderOf(query)).execute();
}

function orderOf({ sort, direction }: ListQuery): Order {
  return { columns: [...(sort === "name" ? ["c.sort_name"] : []), "c.property", "c.code"], direction };
}

function listed({ read }: Database, { status }: Pick<CategoryQuery, "status">) {
  const all = read.selectFrom("category as c");
  return status === undefined ? all : all.where("c.status", "=", status);
}

/** The categories with these keys, in the same order; a key that no category has is left out. */
export async function readCategories({ read }: Database, keys: readonly CategoryKey[]): Promise<Category[]> {
  const found = new Map<string, Category>();
  for (const some of batchesOf(keys)) {
    const all = read.selectFrom("category").selectAll();
    const rows = await all
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple("property", "code"),
          "in",
          some.map(({ hotelCode, code }) => tuple(hotelCode, code)),
        ),
      )
      .execute();
    for (const row of rows) found.set(keyText({ hotelCode: row.property, code: row.code }), fromRow(row));
  }
  return keys.flatMap((key) => found.get(keyText(key)) ?? []);
}

/** A key as one word; no code has a slash. */
export function keyText({ hotelCode, code }: CategoryKey): string {
  return `${hotelCode}/${code}`;
}

/** The key that such a word can be; none otherwise. */
export function readKey(text: string): CategoryKey[] {
  const [hotelCode = "", code = "", ...more] = text.split("/");
  return more.length === 0 && isCode(hotelCode) && isCode(code) ? [{ hotelCode, code }] : [];
}

/** Every category that a query lists, in its order and in batches. */
export async function* everyCategory(database: Database, query: CategoryQuery): AsyncGenerator<readonly Category[]> {
  if (query.hotelCode !== "" || query.q !== "") {
    yield (await listCategories(database, { ...query, page: 1, size: Number.MAX_SAFE_INTEGER })).lines;
    return;
  }
  for await (const rows of inBatches(listed(database, query).selectAll(), orderOf(query))) yield rows.map(fromRow);
}
