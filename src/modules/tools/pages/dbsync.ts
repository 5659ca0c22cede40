import type { Schema } from "../../../db/catalog.ts";
import { messageOf } from "../../../web/http-error.ts";
import { counted } from "../../../web/parts/amount.ts";
import { findLastBackup } from "../backups.ts";
import { type Applied, type Comparison, PlanChangedError, type SchemaComparison } from "../schema-comparison.ts";
import { schemaPage, schemaScript, type SchemaView } from "../schema-page.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";

/** The page that compares the live schema with the one that the migrations declare. */
export function makeDbsyncTool(comparison: SchemaComparison): Tool<SchemaView> {
  return {
    slug: "dbsync",
    title: "Database synchronisation",
    about: "The schema of the live database compared with the one that the migrations declare, and what would bring it in step.",
    status: async ({ database }) => statusOf(await comparison.compare(database)),
    async view({ services: { database, config } }) {
      const [found, rows] = await Promise.all([comparison.compare(database), database.catalog.estimateRows()]);
      return { ...viewOf(found, rows), lastBackup: await findLastBackup(config.dataDir) };
    },
    page: (view, token) => ({
      main: schemaPage(view, token),
      copy: { label: "SQL", text: schemaScript(view) },
    }),
    actions: { apply: (context) => apply(comparison, context) },
  };
}

function statusOf({ steps, unknown }: Comparison): string {
  if (unknown.length > 0) return "made by a newer version";
  if (steps.length === 0) return "in step";
  return counted(steps.length, "difference");
}

function viewOf(found: Comparison, rows: ReadonlyMap<string, number>): Omit<SchemaView, "lastBackup"> {
  return {
    inStep: found.steps.length === 0,
    steps: found.steps,
    plan: found.hash,
    history: found.history,
    pending: found.pending.map((script) => script.name),
    unknown: found.unknown,
    tables: tableFacts(found.live, rows),
  };
}

function tableFacts(live: Schema, rows: ReadonlyMap<string, number>): SchemaView["tables"] {
  return live.map(({ name, kind, columns, indexes }) => ({
    name,
    kind,
    columns: columns.length,
    indexes: indexes.length,
    rows: rows.get(name),
  }));
}

/** Runs the safe steps of the plan that the form names. What the database refuses is recorded, and changes nothing. */
async function apply(comparison: SchemaComparison, { services, request, form }: ToolContext): Promise<ToolResult> {
  try {
    return describeApplied(await comparison.apply(services, form.plan ?? ""));
  } catch (error) {
    if (error instanceof PlanChangedError) {
      return { done: false, reason: "The schema changed since this page was shown, so nothing was run. Look at the new plan below." };
    }
    await services.errors.record(error, request, 409);
    return { done: false, reason: `The database refused: ${messageOf(error)}` };
  }
}

function describeApplied({ steps, left, backup }: Applied): ToolResult {
  if (steps.length === 0) {
    const flash = left === 0 ? "The schema is in step: nothing was to be run." : "Nothing was run: what differs is left to a person.";
    return { done: true, changes: [], flash };
  }
  const changes = steps.map((step) => ({ field: step.subject, from: step.problem, to: step.statements.join("; ") }));
  const saved = backup === undefined ? "" : ` A backup was written before: ${backup}`;
  return { done: true, changes, flash: `Brought in step: ${steps.map((step) => step.subject).join(", ")}.${saved}` };
}
