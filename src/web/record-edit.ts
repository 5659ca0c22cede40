import type { FastifyReply } from "fastify";
import type { z } from "zod";
import { readForm, readId, readTyped, toTypedValues, readVersion } from "./form.ts";
import type { Path } from "./html.ts";
import { sendFaults } from "./json.ts";
import { wantsJson } from "./negotiate.ts";
import { type Page, seeOther, sendPage } from "./page.ts";
import type { FormState } from "./parts/fields.ts";
import type { HistoryEntry } from "./parts/history.ts";
import { type EditConflict, conflictFaults, valuesBefore } from "./parts/record-form.ts";

/** A record with its form. If `restored` is set, the form contains the values from before that change. */
export type RecordEdit<Item> = { record: Item; state: FormState; conflict?: EditConflict; restored?: HistoryEntry | undefined };

type EditableRecord = Readonly<Record<string, string | number | boolean | undefined>> & { version: number };

/** Opens a record's form. If `restore` in the query is the ID of a change, fills in the values from before that change. */
export async function openEdit<Item extends EditableRecord>(
  record: Item,
  query: unknown,
  find: (id: number) => Promise<HistoryEntry | undefined>,
): Promise<RecordEdit<Item>> {
  const id = readId(readTyped(query).restore ?? "");
  const restored = id === undefined ? undefined : await find(id);
  return { record, state: { typed: { ...toTypedValues(record), ...valuesBefore(restored) }, faults: {} }, restored };
}

type EditOptions<Item, Fields> = {
  record: Item;
  rules: z.ZodType<Fields>;
  save(edit: { key: Item; version: number; fields: Fields }): Promise<{ outcome: "updated" | "unchanged" | "conflict"; stored: Item }>;
  lastChange(): Promise<HistoryEntry | undefined>;
  page(edit: RecordEdit<Item>): Promise<Page>;
  to: Path;
  label: string;
};

/** Saves a submitted edit. Missing fields keep their values. A form without a version never causes a conflict. */
export async function sendEdit<Item extends EditableRecord, Fields>(
  reply: FastifyReply,
  edit: EditOptions<Item, Fields>,
): Promise<FastifyReply> {
  const { record, rules, save, lastChange, to, label } = edit;
  const form = readForm(rules, { ...toTypedValues(record), ...readTyped(reply.request.body) });
  const { typed } = form;
  const version = readVersion(typed);
  if (!form.ok) return refuseEdit({ record: { ...record, version }, state: { typed, faults: form.faults } });
  const { outcome, stored } = await save({ key: record, version, fields: form.value });
  if (outcome === "conflict") return refuseEdit({ record: stored, state: { typed, faults: {} }, conflict: { by: await lastChange() } });
  return seeOther(reply, to, outcome === "updated" ? `${label} was saved.` : `${label} has no changes to save.`);

  async function refuseEdit(refused: RecordEdit<Item>): Promise<FastifyReply> {
    const { state, conflict } = refused;
    if (wantsJson(reply.request)) return sendFaults(reply, conflict ? conflictFaults(refused.record) : state.faults);
    return sendPage(reply, await edit.page(refused));
  }
}
