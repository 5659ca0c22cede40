import { setImmediate as nextTurn } from "node:timers/promises";
import { ChangeList, type NightChange } from "../calendar/change.ts";
import { decodePage } from "../calendar/codec.ts";
import { compareText } from "../calendar/compare-text.ts";
import { emptyPage, type Page } from "../calendar/page.ts";
import { revertPage, revertAndCollect } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import { listPages, type PageScope } from "./page-store.ts";
import { findUndo, type PageUndo, readUndos, unpackUndos } from "./undo-store.ts";

const MAX_RUNS = 1_000;
const MAX_PAGES = 200;

export type ChangesQuery = { property: string; message: number };

/** Reverts copies of the current pages to the state just after the message, then reads the changes from its undo records. */
export async function findChanges(database: Database, query: ChangesQuery): Promise<NightChange[]> {
  const packedUndo = await findUndo(database, query);
  const undos = packedUndo ? unpackUndos(packedUndo).toSorted(comparePages).slice(0, MAX_PAGES) : [];
  const changes = new ChangeList(MAX_RUNS);
  for (const undosOfKind of Map.groupBy(undos, ({ kind }) => kind).values()) {
    if (changes.runs.length < MAX_RUNS) await collectChanges(await listPagesAfter(database, query, undosOfKind), undosOfKind, changes);
  }
  return changes.runs;
}

function comparePages(a: PageUndo, b: PageUndo): number {
  return compareText(a.kind, b.kind) || compareText(a.category, b.category) || compareText(a.lane, b.lane) || a.span - b.span;
}

async function collectChanges(pages: ReadonlyMap<string, Page>, undos: readonly PageUndo[], changes: ChangeList): Promise<void> {
  let last: PageUndo | undefined;
  for (const undo of undos) {
    if (changes.runs.length >= MAX_RUNS) break;
    if (last?.category !== undo.category || last.lane !== undo.lane) changes.startLane();
    const { kind, category, lane } = undo;
    revertAndCollect(pages.get(undoKey(undo))!, undo.undo, { lane: { kind, category, lane }, changes });
    last = undo;
    await nextTurn();
  }
}

async function listPagesAfter(
  database: Database,
  { property, message }: ChangesQuery,
  undos: readonly PageUndo[],
): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map(undos.map((undo) => [undoKey(undo), emptyPage(undo.span)]));
  const scope = pagesScope(property, undos);
  for (const storedPage of await listPages(database, scope)) {
    if (pages.has(undoKey(storedPage))) pages.set(undoKey(storedPage), decodePage(storedPage.span, storedPage.page));
  }
  for await (const laterUndo of readUndos(database, { ...scope, afterMessage: message })) {
    for (const one of laterUndo) {
      const page = pages.get(undoKey(one));
      if (page) revertPage(page, one.undo);
    }
  }
  return pages;
}

function pagesScope(property: string, undos: readonly PageUndo[]): PageScope {
  const spans = undos.map(({ span }) => span);
  return {
    property,
    kind: undos[0]!.kind,
    categories: [...new Set(undos.map(({ category }) => category))],
    lanes: [...new Set(undos.map(({ lane }) => lane))],
    firstSpan: Math.min(...spans),
    lastSpan: Math.max(...spans),
  };
}

function undoKey({ category, lane, span }: Pick<PageUndo, "category" | "lane" | "span">): string {
  return `${category}\n${lane}\n${span}`;
}
