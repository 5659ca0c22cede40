import { setImmediate as nextTurn } from "node:timers/promises";
import { ChangeList, type NightChange } from "../calendar/change.ts";
import { decodePage } from "../calendar/codec.ts";
import { compareText } from "../calendar/compare-text.ts";
import { emptyPage, type Page } from "../calendar/page.ts";
import { revert, revertNoting } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import { listPages, pageScope } from "./page-store.ts";
import { type PageUndo, unpackUndos } from "./undo-list.ts";
import { readUndos } from "./undo-store.ts";

const RUNS = 1_000;
/** The most pages searched for a message. */
const PAGES = 200;

export type ChangesQuery = { property: string; message: number };

/** What a message changed, from its undo records: current pages are taken back to just after it. */
export async function findChanges(database: Database, { property, message }: ChangesQuery): Promise<NightChange[]> {
  const row = await database.read.selectFrom("night_undo").select("undo").where("message", "=", message).executeTakeFirst();
  const undos = row ? unpackUndos(row.undo).toSorted(byPage).slice(0, PAGES) : [];
  const changes = new ChangeList(RUNS);
  let last: PageUndo | undefined;
  for (const undo of undos) {
    if (changes.runs.length >= RUNS) break;
    if (last?.kind !== undo.kind || last.category !== undo.category || last.lane !== undo.lane) changes.startLane();
    const { kind, category, lane } = undo;
    revertNoting(await pageAfter(database, { property, message }, undo), undo.undo, { lane: { kind, category, lane }, changes });
    last = undo;
    await nextTurn();
  }
  return changes.runs;
}

function byPage(a: PageUndo, b: PageUndo): number {
  return compareText(a.kind, b.kind) || compareText(a.category, b.category) || compareText(a.lane, b.lane) || a.span - b.span;
}

/** The page just after the message of the undo record. */
async function pageAfter(database: Database, { property, message }: ChangesQuery, undo: PageUndo): Promise<Page> {
  const scope = pageScope(property, undo, undo.span);
  const [stored] = await listPages(database, scope);
  const page = stored ? decodePage(undo.span, stored.page) : emptyPage(undo.span);
  for await (const later of readUndos(database, { ...scope, afterMessage: message })) {
    for (const one of later) revert(page, one.undo);
  }
  return page;
}
