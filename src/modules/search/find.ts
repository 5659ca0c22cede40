import type { Database } from "../../db/database.ts";
import type { MessageRow } from "../../db/schema.ts";
import { findByIdOrToken } from "../../journal/messages.ts";
import { matchesWords, wantedWords } from "../../records/search.ts";
import type { TypedValues } from "../../web/form.ts";
import { hasRole, type User } from "../../web/guard/user.ts";
import { Path } from "../../web/html.ts";
import { listPagesForRole } from "../../web/navigation.ts";
import { localMoment } from "../../web/parts/moment.ts";
import { type PropertyTab, tabPath } from "../../web/parts/property-header.ts";
import { path, withQuery } from "../../web/path.ts";
import type { RouteRegistry } from "../../web/route-registry.ts";
import { type FoundRecord, type RecordSearch, searchRecords, searchSenders } from "./store.ts";

export const MAX_RESULTS = 20;

/** `detail` distinguishes results that have the same label. */
export type SearchResult = { label: string; detail: string; to: Path };

/** `all` links to a list of all matches, if there is one. */
export type ResultGroup = { title: string; results: readonly SearchResult[]; all?: Path };

export type SearchDeps = { database: Database; routes: RouteRegistry };

/** A property in the results opens at `tab`, with the dates and filters in `nights`. If `tab` is set, only properties are searched. */
export type SearchQuery = { q: string; tab: PropertyTab | undefined; nights: TypedValues };

/** Finds results that `user` may see. A token finds only records and messages of its properties. */
export async function findEverything({ database, routes }: SearchDeps, query: SearchQuery, user: User | undefined): Promise<ResultGroup[]> {
  const { q, tab, nights } = query;
  const search: RecordSearch = { q, properties: user?.grant?.properties, limit: MAX_RESULTS };
  if (search.properties?.length === 0) return [];
  const properties = (await searchRecords(database, "property", search)).map((found) => propertyResult(found, tab ?? "overview", nights));
  const resultGroups: ResultGroup[] = [{ title: "Properties", results: properties, all: withQuery(path`/property`, { q }) }];
  if (tab === undefined) resultGroups.push(...(await findOthers(database, search)));
  if (tab === undefined && user?.kind !== "token") {
    const senders = await searchSenders(database, search);
    resultGroups.push({
      title: "Connections",
      results: senders.map((name) => ({ label: name, detail: "", to: path`/dev/senders/${name}` })),
    });
    resultGroups.push({ title: "Pages", results: findPages(routes, q, user) });
  }
  return resultGroups.filter(({ results }) => results.length > 0);
}

async function findOthers(database: Database, search: RecordSearch): Promise<ResultGroup[]> {
  const [categories, plans, messages] = await Promise.all([
    searchRecords(database, "category", search),
    searchRecords(database, "plan", search),
    findByIdOrToken(database, search.q.trim(), search),
  ]);
  return [
    { title: "Categories", results: categories.map(categoryResult), all: withQuery(path`/category`, { q: search.q }) },
    { title: "Rate plans", results: plans.map(planResult) },
    { title: "Messages", results: messages.map(messageResult) },
  ];
}

function propertyResult({ property, name = property, city }: FoundRecord, tab: PropertyTab, nights: TypedValues): SearchResult {
  return { label: name, detail: [property, city].filter(Boolean).join(", "), to: tabPath(tab, property, nights) };
}

function categoryResult({ property, code, name = code }: FoundRecord): SearchResult {
  return { label: name, detail: `${property} / ${code}`, to: path`/category/${property}/${code}/edit` };
}

function planResult({ property, code, name = code }: FoundRecord): SearchResult {
  return { label: name, detail: `${property} / ${code}`, to: withQuery(path`/rates`, { property, plan: code }) };
}

function messageResult({ id, root, outcome, received_at: at, echo_token: token }: MessageRow): SearchResult {
  const detail = [root, outcome, localMoment(at), token && `EchoToken ${token}`].filter(Boolean).join(", ");
  return { label: `Message #${id}`, detail, to: path`/dev/logs/${id}` };
}

/** Searches the navigation labels and the descriptions of all pages that have no parameters. */
function findPages(routes: RouteRegistry, q: string, user: User | undefined): SearchResult[] {
  const searchWords = wantedWords(q);
  const labels = new Map(listPagesForRole(user?.role).map(({ label, to }) => [to.text.split("?", 1)[0]!, label]));
  const pages = routes.list().filter(({ path: at, access, methods }) => {
    const isPage =
      access !== "open" && access !== "sender" && /^\/[^{.]*$/.test(at) && (methods.includes("GET") || methods.includes("any"));
    return isPage && hasRole(user?.role, access);
  });
  return pages
    .map(({ path: at, about }) => ({ label: labels.get(at) ?? at, detail: about, to: new Path(at) }))
    .filter(({ label, detail, to }) => searchWords.length > 0 && matchesWords(searchWords, [label, detail, to.text]))
    .slice(0, MAX_RESULTS);
}
