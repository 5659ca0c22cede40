import { type Attribute, type AttributeValue, findGroup } from "../calendar/attributes.ts";
import type { CurrencyChange } from "../calendar/change.ts";
import { decodePage } from "../calendar/codec.ts";
import type { LaneKey } from "../calendar/lane.ts";
import type { Night } from "../calendar/night.ts";
import { fromCell, spanOf } from "../calendar/page.ts";
import { cellAt } from "../calendar/runs.ts";
import { valuesBefore } from "../calendar/undo.ts";
import type { Database } from "../db/database.ts";
import { findOrigins } from "./messages.ts";
import { listPages, type PageScope, pageScope } from "./page-store.ts";
import { readUndos } from "./undo-store.ts";

export type NightQuery = LaneKey & { property: string; night: Night };

export type NightEvent = {
  message: number;
  at: number;
  sender: string | undefined;
  currencies: CurrencyChange;
  changes: { column: Attribute; from: AttributeValue | undefined; to: AttributeValue | undefined }[];
};

type NightChangeEvent = Omit<NightEvent, "sender">;

const MAX_EVENTS = 500;

/** Lists up to 500 logged changes to a night, newest first. */
export async function nightHistory(database: Database, query: NightQuery): Promise<NightEvent[]> {
  const changedEvents = await readChanges(database, query);
  const ids = changedEvents.map(({ message }) => message);
  const origins = await findOrigins(database, ids);
  return changedEvents.map((one) => ({ ...one, sender: origins.get(one.message)?.sender }));
}

async function readChanges(database: Database, { property, night, ...lane }: NightQuery): Promise<NightChangeEvent[]> {
  const span = spanOf(night);
  const scope = pageScope(property, lane, span);
  const values = await readValues(database, scope, night);
  const changeEvents: NightChangeEvent[] = [];
  for await (const undos of readUndos(database, scope)) {
    for (const { undo, message, at } of undos) {
      const to = values.get("currency");
      const changes = revertValues(values, valuesBefore(span, undo, night));
      if (changes.length > 0) changeEvents.push({ message, at, currencies: { from: values.get("currency"), to }, changes });
    }
    if (changeEvents.length >= MAX_EVENTS) break;
  }
  return changeEvents.slice(0, MAX_EVENTS);
}

async function readValues(database: Database, scope: PageScope, night: Night): Promise<Map<Attribute, AttributeValue | undefined>> {
  const [stored] = await listPages(database, scope);
  if (!stored) return new Map();
  const page = decodePage(stored.span, stored.page);
  return new Map([...page.columns].map(([column, runs]) => [column, fromCell(page, column, cellAt(runs, night - page.first))]));
}

function revertValues(
  values: Map<Attribute, AttributeValue | undefined>,
  before: Map<Attribute, AttributeValue | undefined>,
): NightEvent["changes"] {
  const changes = [...before].map(([column, from]) => ({ column, from, to: values.get(column) }));
  for (const [column, from] of before) values.set(column, from);
  return changes.filter(({ column, from, to }) => findGroup(column) !== undefined && from !== to);
}
