import { setImmediate as nextTurn } from "node:timers/promises";
import { ChangeList, type NightChange } from "../calendar/change.ts";
import { decodePage } from "../calendar/codec.ts";
import type { Kind } from "../calendar/operation.ts";
import { emptyPage, type Page } from "../calendar/page.ts";
import { revert, revertNoting } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import type { NightUndoRow } from "../db/schema.ts";
import { findPage } from "./page-store.ts";
import { readUndos } from "./undo-store.ts";

const RUNS = 1_000;
/** Pages of one message that are looked at. */
const PAGES = 200;

/** What a message changed, from its undo records: the pages as they are now, taken back to just after it. */
export async function findChanges(database: Database, message: number): Promise<NightChange[]> {
  const undos = await database.read
    .selectFrom("night_undo")
    .selectAll()
    .where("message", "=", message)
    .orderBy("kind")
    .orderBy("category")
    .orderBy("lane")
    .orderBy("span")
    .limit(PAGES)
    .execute();
  const changes = new ChangeList(RUNS);
  let last: NightUndoRow | undefined;
  for (const undo of undos) {
    if (changes.runs.length >= RUNS) break;
    if (last?.kind !== undo.kind || last.category !== undo.category || last.lane !== undo.lane) changes.startLane();
    const { category, lane } = undo;
    revertNoting(await pageAfter(database, undo), undo.undo, { lane: { kind: undo.kind as Kind, category, lane }, changes });
    last = undo;
    await nextTurn();
  }
  return changes.runs;
}

/** The page as it was just after the message that the undo record is of. */
async function pageAfter(database: Database, { property, kind, category, lane, span, message }: NightUndoRow): Promise<Page> {
  const stored = await findPage(database, { property, kind, category, lane, span });
  const page = stored ? decodePage(span, stored) : emptyPage(span);
  const here = { property, kind: kind as Kind, categories: [category], lanes: [lane], firstSpan: span, lastSpan: span };
  for await (const undos of readUndos(database, { ...here, afterMessage: message })) {
    for (const { undo } of undos) revert(page, undo);
  }
  return page;
}
