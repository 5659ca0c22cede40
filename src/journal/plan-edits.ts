import { sql } from "kysely";
import { type AppliedChanges, applyOperations } from "../calendar/apply.ts";
import type { StoredPage } from "../calendar/draft.ts";
import { DAY_MS } from "../calendar/night.ts";
import type { Database, Row, Statement } from "../db/database.ts";
import { onSameShard } from "../db/on-shard.ts";
import type { MessageRow, RatePlanRow } from "../db/schema.ts";
import { auditStatement, type By, type FieldChange } from "../records/audit.ts";
import { type OutboxEntry, outboxStatements } from "../records/outbox.ts";
import { planSubject } from "../records/plan/store.ts";
import { packBodies, type PackedRequest } from "./body.ts";
import { findMessage } from "./messages.ts";
import { movePlan, removePlanNights, restoreNights } from "./plan-nights.ts";
import { unpackUndos } from "./undo-store.ts";
import { writeBodies, writeMessage, writeNights, writePlans } from "./writing.ts";

/** `into` is the plan that receives the nights. If it is undefined, they are removed. */
type PlanEdit = { property: string; plan: string; into: string | undefined };

/** The effect of an edit. Nights are counted per category. `message` is the edit's entry in the message log. */
export type PlanEditResult = { message: number; moved: number; dropped: number };

/** `kept` counts the nights that were not restored, because they have newer values or their category was deleted. */
export type PlanUndoResult = { refused?: undefined; message: number; plan: string; kept: number };

/** The edit's stored request, which is needed to undo it. */
type EditBody = { action: "merge" | "remove"; plan: RatePlanRow; into?: string | undefined };

const NO_NOTES = JSON.stringify({ errors: [], warnings: [], advisories: [], ignored: [], headers: {} });
const EMPTY_BODY: PackedRequest = { bytes: new Uint8Array(), compressed: false };

/** Returns what an edit would do, or undefined if a plan does not exist. */
export async function previewPlanEdit(
  { read }: Database,
  { property, plan, into }: PlanEdit,
): Promise<Omit<PlanEditResult, "message"> | undefined> {
  const codes = into === undefined ? [plan] : [plan, into];
  const [pages, known] = await Promise.all([
    read
      .selectFrom("rate_page")
      .select(["category", "plan as lane", "span", "page"])
      .where("property", "=", property)
      .where("plan", "in", codes)
      .execute(),
    read.selectFrom("rate_plan").select("code").where("property", "=", property).where("code", "in", codes).execute(),
  ]);
  return known.length < codes.length ? undefined : countPlanNights(pages.map(toPage), { plan, into });
}

function countPlanNights(pages: readonly StoredPage[], { plan, into }: Pick<PlanEdit, "plan" | "into">) {
  if (into !== undefined) return movePlan(pages, { from: plan, into });
  const { operations, nights } = removePlanNights(pages, plan);
  return { operations, moved: 0, dropped: nights };
}

/**
 * Merges a rate plan into another, or removes it with its nights. The edit is an entry in the message log, so that it appears in the nights'
 * history and can be undone. Returns undefined if a plan does not exist.
 */
export function editPlan(database: Database, edit: PlanEdit, by: By): Promise<PlanEditResult | undefined> {
  const { property, plan, into = plan } = edit;
  return database.commit({
    lock: property,
    read: [
      { sql: "select * from rate_plan where property = ? and code in (?, ?)", values: [property, plan, into] },
      { sql: SELECT_PAGES, values: [property, plan, into] },
      { sql: SELECT_ACTIVITY, values: [property] },
    ],
    decide([plans, pages, activity], id) {
      const [row, other] = [plan, into].map((code) => plans!.find((one) => one.code === code) as RatePlanRow | undefined);
      if (!row || !other) return { write: [], result: undefined };
      const { operations, moved, dropped } = countPlanNights(pages!.map(toPage), edit);
      const appliedChanges = applyOperations(pages!.map(toPage), operations, id);
      const loggedEdit = { id, at: editTime(by.at, activity), property };
      const write = [...nightsAndEntry(appliedChanges, { ...loggedEdit, ...logEntry(edit, row) }), ...removePlanRow(edit)];
      return {
        write: [
          ...write,
          ...outboxEntries(edit, appliedChanges, loggedEdit),
          ...auditEdit(edit, { moved, dropped }, { ...by, message: id }),
        ],
        result: { message: id, moved, dropped },
      };
    },
  });
}

const SELECT_PAGES = "select category, plan as lane, span, page from rate_page where property = ? and plan in (?, ?)";
const SELECT_ACTIVITY = "select last_message_at from property_activity where property = ?";

type LoggedEdit = { id: number; at: number; property: string };

function logEntry({ plan, into }: PlanEdit, row: RatePlanRow): { action: string; summary: string; body: EditBody } {
  return into === undefined
    ? { action: "remove", summary: `Rate plan ${plan} was removed with its nights`, body: { action: "remove", plan: row } }
    : { action: "merge", summary: `Rate plan ${plan} was merged into ${into}`, body: { action: "merge", plan: row, into } };
}

function removePlanRow({ property, plan }: PlanEdit): Statement[] {
  return [
    { sql: "delete from rate_plan where property = ? and code = ?", values: [property, plan], records: true },
    { sql: "delete from search_text where kind = 'plan' and property = ? and code = ?", values: [property, plan] },
  ];
}

function outboxEntries(
  { plan, into }: Pick<PlanEdit, "plan" | "into">,
  appliedChanges: AppliedChanges,
  { id, at, property }: LoggedEdit,
): Statement[] {
  const recordEntries = [plan, ...(into === undefined ? [] : [into])].map((code): OutboxEntry => ({
    kind: "record",
    plan: code,
    property,
    at,
  }));
  const nights: OutboxEntry[] = appliedChanges.pages.some(({ undo }) => undo !== undefined)
    ? [{ kind: "nights", property, at, message: id }]
    : [];
  return outboxStatements([...recordEntries, ...nights]);
}

type NightCounts = Pick<PlanEditResult, "moved" | "dropped">;

function auditEdit({ property, plan, into }: PlanEdit, { moved, dropped }: NightCounts, by: By & { message: number }): Statement[] {
  const entry = (code: string, changes: readonly FieldChange[]) =>
    auditStatement({ ...by, action: into === undefined ? "remove" : "merge", subject: planSubject({ property, code }), changes });
  const removedChange = { field: "Nights removed", from: "", to: String(dropped) };
  if (into === undefined) return [entry(plan, [removedChange])];
  const counts = [{ field: "Nights moved", from: "", to: String(moved) }, removedChange];
  return [
    entry(plan, [{ field: "Merged into", from: "", to: into }, ...counts]),
    entry(into, [{ field: "Merged from", from: "", to: plan }, ...counts]),
  ];
}

/** Why an edit can't be undone. `gone` means that it is no longer in the log or was already undone. */
type UndoRefusal = { refused: "gone" } | { refused: "later edit" } | { refused: "removed"; plan: string };

/** Undoes the newest edit of a property's plans: recreates the plan and restores its nights. */
export async function undoPlanEdit(
  database: Database,
  { property, message }: { property: string; message: number },
  by: By,
): Promise<PlanUndoResult | UndoRefusal> {
  const body = await findEdit(database, property, message);
  if (!body) return { refused: "gone" };
  const { plan, into } = body;
  const { code } = plan;
  const undoneEntry = {
    action: `undo ${message}`,
    summary: `Undid #${message}: rate plan ${code} was restored`,
    body: { action: `undo ${message}`, plan: code },
  };
  return database.commit<PlanUndoResult | UndoRefusal>({
    lock: property,
    read: [
      { sql: SELECT_EDITS_SINCE, values: [property, message] },
      { sql: SELECT_UNDO, values: [message] },
      { sql: "select status from rate_plan where property = ? and code = ?", values: [property, code] },
      { sql: SELECT_PAGES, values: [property, code, into ?? code] },
      { sql: SELECT_ACTIVITY, values: [property] },
      { sql: "select code from category where property = ?", values: [property] },
    ],
    decide([edits, undos, plans, pages, activity, categories], id) {
      const [newest] = findOpenEdits(edits as StoredEdit[]);
      if (newest === undefined || newest < message) return { write: [], result: { refused: "gone" } };
      if (newest > message) return { write: [], result: { refused: "later edit" } };
      if (plans![0]?.status === "removed") return { write: [], result: { refused: "removed", plan: code } };
      const undo = undos![0]?.undo as Uint8Array | undefined;
      const categoryCodes = new Set(categories!.map((category) => category.code));
      const restoredNights = restoreNights(pages!.map(toPage), undo ? unpackUndos(undo) : [], { edit: message, known: categoryCodes });
      const appliedChanges = applyOperations(pages!.map(toPage), restoredNights.operations, id);
      const loggedEdit = { id, at: editTime(by.at, activity), property };
      const changes = [{ field: "Nights kept", from: "", to: String(restoredNights.kept) }];
      const entry = auditStatement({ ...by, action: "undo", subject: planSubject({ property, code }), changes, message: id });
      const row = plans!.length > 0 ? [] : writePlans([{ ...plan, version: plan.version + 1 }]);
      const write = [
        ...nightsAndEntry(appliedChanges, { ...loggedEdit, ...undoneEntry }),
        ...row,
        ...outboxEntries({ plan: code, into }, appliedChanges, loggedEdit),
        entry,
      ];
      return { write, result: { message: id, plan: code, kept: restoredNights.kept } };
    },
  });
}

async function findEdit(database: Database, property: string, message: number): Promise<EditBody | undefined> {
  const storedMessage = await findMessage(database, message);
  if (!storedMessage?.bodies || storedMessage.message.property !== property || !isPlanEdit(storedMessage.message)) return undefined;
  return JSON.parse(Buffer.from(storedMessage.bodies.request).toString()) as EditBody;
}

type StoredEdit = Pick<MessageRow, "id" | "via" | "action">;

function isPlanEdit({ via, action }: StoredEdit): boolean {
  return via === "record" && (action === "merge" || action === "remove");
}

/** Returns the IDs of the edits that have not been undone, newest first. */
function findOpenEdits(edits: readonly StoredEdit[]): number[] {
  const actions = new Set(edits.map(({ action }) => action));
  const openEdits = edits.filter((edit) => isPlanEdit(edit) && !actions.has(`undo ${edit.id}`));
  return openEdits.map(({ id }) => id).toSorted((a, b) => b - a);
}

const SELECT_EDITS_SINCE = "select id, via, action from message where property = ? and via = 'record' and id >= ?";
const SELECT_UNDO = "select undo from night_undo where message = ?";

/** An edit of a property's rate plans. `canUndo` is true only for the newest edit that has not been undone. */
export type StoredPlanEdit = { message: number; at: number; summary: string; canUndo: boolean };

const MAX_LISTED_EDITS = 10;
/** Must match the condition of the partial index. */
const IS_RECORD = sql<boolean>`via = 'record'`;

/** Returns the newest edits first. */
export async function listPlanEdits(database: Database, property: string): Promise<StoredPlanEdit[]> {
  const rows = await database.read
    .selectFrom("message")
    .leftJoin("message_body", (join) =>
      join.onRef("message_body.message", "=", "message.id").on(onSameShard(database, "message_property", "property")),
    )
    .select(["id", "received_at", "via", "action", "summary", "message_body.message as body"])
    .where("property", "=", property)
    .where(IS_RECORD)
    .orderBy("id", "desc")
    .limit(MAX_LISTED_EDITS)
    .execute();
  const [newest] = findOpenEdits(rows);
  return rows.map(({ id, received_at: at, summary, body }) => ({ message: id, at, summary, canUndo: id === newest && body !== null }));
}

function toPage({ category, lane, span, page }: Row): StoredPage {
  return { kind: "rate", category: category as string, lane: lane as string, span: span as number, bytes: page as Uint8Array };
}

/** Returns the time of an edit. Sorting undo records by time or by ID must give the same order; see `decisionTime` in `receive.ts`. */
function editTime(now: number, activity: readonly Row[] = []): number {
  const last = (activity[0]?.last_message_at as number | undefined) ?? 0;
  return last > now + DAY_MS ? now : Math.max(now, last);
}

type EditLogEntry = LoggedEdit & { action: string; summary: string; body: object };

function nightsAndEntry(appliedChanges: AppliedChanges, { id, at, property, action, summary, body }: EditLogEntry): Statement[] {
  const request: PackedRequest = { bytes: Buffer.from(JSON.stringify(body)), compressed: false };
  const row: MessageRow = {
    ...{ id, received_at: at, property, sender: null, via: "record", transport: "none", root: null, action, outcome: "ok", status: 200 },
    ...{ micros: 0, request_bytes: request.bytes.length, answer_bytes: 0, lines: 0, dry_run: 0, echo_token: null, stamp: null },
    ...{
      changed_nights: appliedChanges.changedNights,
      last_night: appliedChanges.lastNight ?? null,
      remote: null,
      body_hash: 0,
      same_as: null,
    },
    ...{ summary, pruned: 0 },
  };
  return [
    ...writeNights(appliedChanges, { property, message: id, at }),
    ...writeMessage(row),
    writeBodies(row, packBodies(request, EMPTY_BODY.bytes), NO_NOTES),
  ];
}
