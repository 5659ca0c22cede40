import type { TablePlacement, Schema } from "../../../db/catalog.ts";
import type { AppliedMigration } from "../../../db/migrate.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { errorMessage } from "../../../web/http-error.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { momentHtml } from "../../../web/parts/moment.ts";
import { type BackupFile, findLastBackup } from "../backups.ts";
import { formatBytes } from "../parts.ts";
import {
  type AppliedSteps,
  type SchemaDifference,
  PlanChangedError,
  type SchemaComparison,
  type SchemaStep,
} from "../schema-comparison.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";

export function makeDbsyncTool(comparison: SchemaComparison): Tool<SchemaView> {
  return {
    slug: "dbsync",
    title: "Database synchronisation",
    about: "Compares the database schema with the migrations and repairs differences.",
    status: async ({ database }) => schemaStatus(await comparison.compare(database)),
    async view({ services: { database, config } }) {
      const { catalog } = database;
      const [found, rows, placements] = await Promise.all([comparison.compare(database), catalog.estimateRows(), catalog.placements()]);
      return { ...toSchemaView(found, { rows, placements }), lastBackup: await findLastBackup(config.dataDir) };
    },
    page: (view, token) => ({
      main: schemaPage(view, token),
      copy: { label: "SQL", text: schemaScript(view) },
    }),
    actions: { apply: (context) => applySteps(comparison, context) },
  };
}

function schemaStatus({ steps, unknown }: SchemaDifference): string {
  if (unknown.length > 0) return "created by a newer version";
  if (steps.length === 0) return "up to date";
  return formatCount(steps.length, "difference");
}

type DatabaseFacts = { rows: ReadonlyMap<string, number>; placements: ReadonlyMap<string, TablePlacement> };

function toSchemaView(found: SchemaDifference, facts: DatabaseFacts): Omit<SchemaView, "lastBackup"> {
  return {
    inStep: found.steps.length === 0,
    steps: found.steps,
    plan: found.hash,
    history: found.history,
    pending: found.pending.map((script) => script.name),
    unknown: found.unknown,
    tables: tableFacts(found.live, facts),
  };
}

function tableFacts(live: Schema, { rows, placements }: DatabaseFacts): SchemaView["tables"] {
  return live.map(({ name, kind, columns, indexes }) => ({
    name,
    kind,
    columns: columns.length,
    indexes: indexes.length,
    rows: rows.get(name),
    ...(placements.size > 0 && kind === "table" && { placement: placements.get(name) ?? "coordinator" }),
  }));
}

/** Runs the safe steps of the submitted plan. If the database returns an error, records the error and changes nothing. */
async function applySteps(comparison: SchemaComparison, { services, request, form }: ToolContext): Promise<ToolResult> {
  try {
    return describeApplied(await comparison.apply(services, form.plan ?? ""));
  } catch (error) {
    if (error instanceof PlanChangedError) {
      return { done: false, reason: "The schema has changed since this page was loaded, so nothing was run. Check the new plan below." };
    }
    await services.errors.record(error, request, 409);
    return { done: false, reason: `The database returned an error: ${errorMessage(error)}` };
  }
}

function describeApplied({ steps, skipped, backup }: AppliedSteps): ToolResult {
  if (steps.length === 0) {
    const flash =
      skipped === 0 ? "The schema is up to date. Nothing to run." : "Nothing was run. The remaining differences need a manual decision.";
    return { done: true, changes: [], flash };
  }
  const changes = steps.map((step) => ({ field: step.subject, from: step.problem, to: step.statements.join("; ") }));
  const backupText = backup === undefined ? "" : ` Backup: ${backup}`;
  return { done: true, changes, flash: `Applied: ${steps.map((step) => step.subject).join(", ")}.${backupText}` };
}

type TableFacts = { name: string; kind: string; columns: number; indexes: number; rows: number | undefined; placement?: TablePlacement };

export type SchemaView = {
  inStep: boolean;
  steps: readonly SchemaStep[];
  plan: string;
  history: readonly AppliedMigration[];
  pending: readonly string[];
  unknown: readonly string[];
  tables: readonly TableFacts[];
  lastBackup: BackupFile | undefined;
};

export function schemaPage(view: SchemaView, token: string): Html {
  return html`${verdictNotice(view)} ${stepList(view.steps)} ${ifAllowed(applyForm(view, token))} ${migrationTable(view)}
  ${tableList(view.tables)}`;
}

export function schemaScript({ steps }: SchemaView): string {
  if (steps.length === 0) return "-- up to date";
  return steps.map((step) => `-- ${step.subject} ${step.problem}${step.destructive ? " (loses data)" : ""}\n${stepSql(step)}`).join("\n\n");
}

function verdictNotice({ inStep, unknown, steps }: SchemaView): Html {
  if (unknown.length > 0) {
    return html`<p class="notice bad">
      A newer version of Roomrack has migrated this database: ${unknown.join(", ")}. It may have caused the differences below.
    </p>`;
  }
  if (inStep) return html`<p class="notice good">The database matches the migrations.</p>`;
  return html`<p class="notice warn">${formatCount(steps.length, "difference")} found.</p>`;
}

function stepList(steps: readonly SchemaStep[]): Html {
  if (steps.length === 0) return emptyHtml;
  const columns: readonly Column<SchemaStep>[] = [
    { head: "Object", cell: ({ subject }) => html`<code>${subject}</code>` },
    { head: "Difference", cell: ({ problem }) => problem },
    {
      head: "SQL",
      class: "words",
      cell: (step) => (step.statements.length === 0 ? MANUAL_LABEL : html`<pre tabindex="0">${stepSql(step)}</pre>`),
    },
    { head: "Apply", narrow: "label", cell: stepBadge },
  ];
  return columnTable({ label: "Differences", caption: "Differences and the SQL to repair them", narrow: "stacked" }, columns, steps);
}

const MANUAL_LABEL = html`<span class="muted">manual</span>`;

function stepBadge(step: SchemaStep): Html {
  const lossBadge = step.destructive ? html`<span class="badge bad">loses data</span> ` : emptyHtml;
  return step.safe ? html`${lossBadge}<span class="badge good">included</span>` : html`${lossBadge}<span class="badge">not included</span>`;
}

function applyForm({ steps, plan, lastBackup }: SchemaView, token: string): Html {
  const safeCount = steps.filter((step) => step.safe).length;
  return html`<form method="post" class="panel">
    ${tokenField(token)}
    <input type="hidden" name="plan" value="${plan}" />
    <p>
      Apply runs pending migrations and creates missing tables, columns and indexes. It never drops a table or column that is not in a
      migration. SQLite is backed up to the folder <code>backups</code> in the data folder first. Back up PostgreSQL yourself.
    </p>
    ${lastBackup ? html`<p>Last backup: ${momentHtml(lastBackup.at)}, ${formatBytes(lastBackup.bytes)}, <code>${lastBackup.file}</code></p>` : emptyHtml}
    <p>
      <button type="submit" class="${safeCount === 0 ? "plain" : "button primary"}" name="action" value="apply">
        ${safeCount === 0 ? "Apply" : `Apply ${formatCount(safeCount, "step")}`}
      </button>
    </p>
  </form>`;
}

const PENDING_BADGE = html`<span class="badge warn">pending</span>`;

function migrationTable({ history, pending }: SchemaView): Html {
  const appliedMigrations = history.map(({ name, at }) => ({ name, state: momentHtml(Temporal.Instant.from(at).epochMilliseconds) }));
  const columns: readonly Column<{ name: string; state: Html }>[] = [
    { head: "Migration", cell: ({ name }) => html`<code>${name}</code>` },
    { head: "Applied", cell: ({ state }) => state },
  ];
  return html`<section>
    <h2>Migrations</h2>
    ${columnTable({ label: "Migrations" }, columns, [...appliedMigrations, ...pending.map((name) => ({ name, state: PENDING_BADGE }))])}
  </section>`;
}

const TABLE_COLUMNS: readonly Column<TableFacts>[] = [
  { head: "Table", cell: ({ name }) => html`<code>${name}</code>` },
  { head: "Kind", cell: ({ kind }) => kind },
  { head: { number: "Columns" }, cell: ({ columns }) => columns },
  { head: { number: "Indexes" }, cell: ({ indexes }) => indexes },
  { head: { number: "Rows (est.)" }, cell: ({ rows }) => (rows === undefined ? "–" : formatNumber(rows)) },
];

const PLACEMENT_LABELS: Readonly<Record<TablePlacement, string>> = { distributed: "All servers, by property", coordinator: "Coordinator" };
const PLACEMENT_COLUMN: Column<TableFacts> = {
  head: "Stored on",
  cell: ({ placement }) => (placement ? PLACEMENT_LABELS[placement] : "–"),
};

function tableList(tables: readonly TableFacts[]): Html {
  const columns = tables.some(({ placement }) => placement) ? [...TABLE_COLUMNS, PLACEMENT_COLUMN] : TABLE_COLUMNS;
  return html`<section>
    <h2>Tables</h2>
    ${columnTable({ label: "Tables", narrow: "stacked" }, columns, tables)}
  </section>`;
}

function stepSql(step: SchemaStep): string {
  return step.statements.map((statement) => `${statement};`).join("\n");
}
