import type { FastifyReply } from "fastify";
import type { z } from "zod";
import { readForm, readId, readTyped, typedOf, versionOf } from "./form.ts";
import type { Path } from "./html.ts";
import { sendFaults } from "./json.ts";
import { wantsJson } from "./negotiate.ts";
import { type Page, seeOther, sendPage } from "./page.ts";
import { conflictWith, type Overtaken, valuesBefore } from "./parts/edit.ts";
import type { FormState } from "./parts/fields.ts";
import type { HistoryEntry } from "./parts/history.ts";

/** A record with its form; `conflict`: it was changed in between, `restored`: the form has what stood there before that change. */
export type RecordEdit<Thing> = { record: Thing; state: FormState; conflict?: Overtaken; restored?: HistoryEntry | undefined };

type Editable = Readonly<Record<string, string | number | boolean | undefined>> & { version: number };

/** The form of a record, or with what stood there before the change of its history that the query names. */
export async function openEdit<Thing extends Editable>(
  record: Thing,
  query: unknown,
  find: (id: number) => Promise<HistoryEntry | undefined>,
): Promise<RecordEdit<Thing>> {
  const id = readId(readTyped(query).restore ?? "");
  const restored = id === undefined ? undefined : await find(id);
  return { record, state: { typed: { ...typedOf(record), ...valuesBefore(restored) }, faults: {} }, restored };
}

type Saving<Thing, Fields> = {
  record: Thing;
  rules: z.ZodType<Fields>;
  save(edit: { key: Thing; version: number; fields: Fields }): Promise<{ outcome: "updated" | "unchanged" | "conflict"; stored: Thing }>;
  /** The last change that is recorded. */
  lastChange(): Promise<HistoryEntry | undefined>;
  /** The form that was refused. */
  page(edit: RecordEdit<Thing>): Promise<Page>;
  /** Where to look when it is saved, and what people call the record. */
  to: Path;
  what: string;
};

/** Answers a posted edit. A field that was not sent keeps its value, and a form without a version is taken as one of the newest. */
export async function sendEdit<Thing extends Editable, Fields>(reply: FastifyReply, edit: Saving<Thing, Fields>): Promise<FastifyReply> {
  const { record, rules, save, lastChange, to, what } = edit;
  const form = readForm(rules, { ...typedOf(record), ...readTyped(reply.request.body) });
  const { typed } = form;
  const version = versionOf(typed);
  if (!form.ok) return refuse({ record: { ...record, version }, state: { typed, faults: form.faults } });
  const { outcome, stored } = await save({ key: record, version, fields: form.value });
  if (outcome === "conflict") return refuse({ record: stored, state: { typed, faults: {} }, conflict: { by: await lastChange() } });
  return seeOther(reply, to, `${what} ${outcome === "updated" ? "was saved" : "is as it was; nothing was changed"}.`);

  async function refuse(refused: RecordEdit<Thing>): Promise<FastifyReply> {
    const { state, conflict } = refused;
    if (wantsJson(reply.request)) return sendFaults(reply, conflict ? conflictWith(refused.record) : state.faults);
    return sendPage(reply, await edit.page(refused));
  }
}
