import type { Group, PageKind } from "../calendar/attributes.ts";
import { decodePage } from "../calendar/codec.ts";
import { compareCodes, joinColumns, type LaneNights } from "../calendar/lane.ts";
import type { Night } from "../calendar/night.ts";
import { emptyPage, type Page, spanOf } from "../calendar/page.ts";
import { revertPage } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import { firstIdAfter } from "./messages.ts";
import { listPages, type PageScope } from "./page-store.ts";
import { readUndos } from "./undo-store.ts";

/** `first` and `last` are inclusive. `categories` and `lanes` default to all. */
export type NightsQuery = {
  property: string;
  kind: PageKind;
  categories?: readonly string[];
  lanes?: readonly string[];
  first: Night;
  last: Night;
  /** Only these groups are decoded. Ignored if `asOf` is set. */
  groups?: readonly Group[];
  /** Reads the state at this time, in milliseconds since 1970. Exact back to the start of the history. */
  asOf?: number;
};

export async function readNights(database: Database, query: NightsQuery): Promise<LaneNights[]> {
  if (query.categories?.length === 0 || query.lanes?.length === 0) return [];
  const lanes = new Map<string, LanePages>();
  const groups = query.asOf === undefined ? query.groups : undefined;
  const scope = { ...query, firstSpan: spanOf(query.first), lastSpan: spanOf(query.last) };
  for (const { category, lane, span, page } of await listPages(database, scope)) {
    findLane(lanes, category, lane).pages.set(span, decodePage(span, page, groups));
  }
  if (query.asOf !== undefined) await revertNights(database, lanes, { ...scope, afterAt: query.asOf });
  const last = query.asOf === undefined ? undefined : await findLastMessage(database, query.property, query.asOf);
  const decodedLanes = [...lanes.values()].map(({ category, lane, pages }) => {
    const nights = joinColumns(pages.values(), query.first, query.last);
    return { category, lane, columns: nights.columns, setters: last === undefined ? nights.setters : settersUntil(last, nights) };
  });
  return decodedLanes.filter(({ columns, setters }) => columns.size + setters.size > 0).toSorted(compareCodes);
}

/** Returns the earliest time for which `asOf` is exact, or undefined if no changes are recorded. */
export async function findHistoryStart(database: Database): Promise<number | undefined> {
  const oldestUndo = await database.read.selectFrom("night_undo").select("at").orderBy("message").limit(1).executeTakeFirst();
  return oldestUndo?.at;
}

async function revertNights(database: Database, lanes: Map<string, LanePages>, scope: PageScope & { afterAt: number }): Promise<void> {
  for await (const undos of readUndos(database, scope)) {
    for (const undo of undos) revertPage(findPage(findLane(lanes, undo.category, undo.lane), undo.span), undo.undo);
  }
}

/** Returns the ID of the property's last message up to `moment`, including past messages, or 0 if there is none. */
async function findLastMessage(database: Database, property: string, moment: number): Promise<number> {
  const end = await firstIdAfter(database, moment);
  const messages = database.read.selectFrom("message").select("id").where("property", "=", property).where("id", "<", end);
  const loggedMessage = await messages.where("received_at", "<=", moment).orderBy("id", "desc").limit(1).executeTakeFirst();
  if (loggedMessage) return loggedMessage.id;
  const pastMessages = database.read.selectFrom("past_message").where("property", "=", property).where("received_at", "<=", moment);
  return (await pastMessages.select(({ fn }) => fn.max<number | null>("message").as("id")).executeTakeFirst())?.id ?? 0;
}

/** Omits setters later than the message `last`. They only repeated a value, and the previous setter is not stored. */
function settersUntil(last: number, { setters }: Pick<LaneNights, "setters">): LaneNights["setters"] {
  const ids = [...setters].map(
    ([group, messages]) => [group, messages.map((id) => (id === undefined || id > last ? undefined : id))] as const,
  );
  return new Map(ids.filter(([, messages]) => messages.some((id) => id !== undefined)));
}

type LanePages = { category: string; lane: string; pages: Map<number, Page> };

function findLane(lanes: Map<string, LanePages>, category: string, lane: string): LanePages {
  return lanes.getOrInsertComputed(`${category}\n${lane}`, () => ({ category, lane, pages: new Map() }));
}

function findPage({ pages }: LanePages, span: number): Page {
  return pages.getOrInsertComputed(span, emptyPage);
}
