import type { AppliedMigration } from "../../db/migrate.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { amount, counted } from "../../web/parts/amount.ts";
import { tokenField } from "../../web/parts/fields.ts";
import { forAdmins } from "../../web/parts/for-admins.ts";
import { moment } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import type { Backup } from "./backups.ts";
import type { Step } from "./schema-plan.ts";
import { formatBytes } from "./units.ts";

/** `rows` is about how many there are, undefined where nobody can tell without counting. */
type TableFacts = { name: string; kind: string; columns: number; indexes: number; rows: number | undefined };

/** The live schema beside the one that is declared. */
export type SchemaView = {
  inStep: boolean;
  steps: readonly Step[];
  /** Names the plan; apply runs no other. */
  plan: string;
  history: readonly AppliedMigration[];
  pending: readonly string[];
  /** Migrations of a newer version than this one. */
  unknown: readonly string[];
  tables: readonly TableFacts[];
  lastBackup: Backup | undefined;
};

/** What differs, and all that there is: migrations and tables. */
export function schemaPage(view: SchemaView, token: string): Html {
  return html`${verdict(view)} ${stepList(view.steps)} ${forAdmins(applyForm(view, token))} ${migrationTable(view)}
  ${tableList(view.tables)}`;
}

/** What would bring the schema in step, as a script to copy. */
export function schemaScript({ steps }: SchemaView): string {
  if (steps.length === 0) return "-- in step";
  return steps.map((step) => `-- ${step.subject} ${step.problem}${step.destructive ? " (loses data)" : ""}\n${sqlOf(step)}`).join("\n\n");
}

function verdict({ inStep, unknown, steps }: SchemaView): Html {
  if (unknown.length > 0) {
    return html`<p class="notice bad">
      A newer version of Roomrack made this database: ${unknown.join(", ")}. Differences below may be its doing.
    </p>`;
  }
  if (inStep) return html`<p class="notice good">The database is in step with the migrations.</p>`;
  return html`<p class="notice warn">${steps.length === 1 ? "One difference was" : `${steps.length} differences were`} found.</p>`;
}

function stepList(steps: readonly Step[]): Html {
  if (steps.length === 0) return nothing;
  return scrollTable(
    {
      label: "Differences",
      caption: "What differs, and the SQL that would change it",
      heads: ["What", "Difference", "SQL", "Apply"],
      narrow: "stacked",
    },
    each(
      steps,
      (step) =>
        html`<tr>
          <th scope="row"><code>${step.subject}</code></th>
          <td>${step.problem}</td>
          <td class="words">
            ${step.statements.length === 0 ? html`<span class="muted">by hand</span>` : html`<pre tabindex="0">${sqlOf(step)}</pre>`}
          </td>
          <td data-label="Apply">${badge(step)}</td>
        </tr>`,
    ),
  );
}

function badge(step: Step): Html {
  const data = step.destructive ? html`<span class="badge bad">loses data</span> ` : nothing;
  return step.safe ? html`${data}<span class="badge good">runs it</span>` : html`${data}<span class="badge">leaves it</span>`;
}

function applyForm({ steps, plan, lastBackup }: SchemaView, token: string): Html {
  const safe = steps.filter((step) => step.safe).length;
  return html`<form method="post" class="panel">
    ${tokenField(token)}
    <input type="hidden" name="plan" value="${plan}" />
    <p>
      Apply runs pending migrations, and makes tables, columns and indexes that are missing. It never drops a table or a column that is not
      in a migration. SQLite is copied into the folder <code>backups</code> of the data folder before; with PostgreSQL, backups are the task
      of the database server.
    </p>
    ${lastBackup ? html`<p>Last backup: ${moment(lastBackup.at)}, ${formatBytes(lastBackup.bytes)}, <code>${lastBackup.file}</code></p>` : nothing}
    <p>
      <button type="submit" class="${safe === 0 ? "plain" : "button primary"}" name="action" value="apply">
        ${safe === 0 ? "Apply" : `Apply ${counted(safe, "step")}`}
      </button>
    </p>
  </form>`;
}

function migrationTable({ history, pending }: SchemaView): Html {
  return html`<section>
    <h2>Migrations</h2>
    ${scrollTable(
      { label: "Migrations", heads: ["Migration", "Run"] },
      html`${each(
        history,
        ({ name, at }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${moment(Temporal.Instant.from(at).epochMilliseconds)}</td>
          </tr>`,
      )}
      ${each(
        pending,
        (name) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td><span class="badge warn">pending</span></td>
          </tr>`,
      )}`,
    )}
  </section>`;
}

function tableList(tables: readonly TableFacts[]): Html {
  return html`<section>
    <h2>Tables</h2>
    ${scrollTable(
      {
        label: "Tables",
        heads: ["Table", "Kind", { number: "Columns" }, { number: "Indexes" }, { number: "Rows, about" }],
        narrow: "stacked",
      },
      each(
        tables,
        (table) =>
          html`<tr>
            <th scope="row"><code>${table.name}</code></th>
            <td>${table.kind}</td>
            <td class="number" data-label="Columns">${table.columns}</td>
            <td class="number" data-label="Indexes">${table.indexes}</td>
            <td class="number" data-label="Rows, about">${table.rows === undefined ? "–" : amount(table.rows)}</td>
          </tr>`,
      ),
    )}
  </section>`;
}

function sqlOf(step: Step): string {
  return step.statements.map((statement) => `${statement};`).join("\n");
}
