import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { ACCESS_CHECKS } from "../readiness/access-checks.ts";
import type { CheckedItem, CheckState } from "../readiness/check.ts";
import { readFacts } from "../readiness/facts.ts";
import { OPERATION_CHECKS } from "../readiness/operation-checks.ts";
import type { Tool, ToolDeps } from "../tool.ts";

type ReadinessView = { problems: number; checks: readonly CheckedItem[] };

/** Visible only to administrators, because it lists weaknesses. */
export const readinessTool: Tool<ReadinessView> = {
  slug: "readiness",
  access: "admin",
  title: "Production readiness",
  about: "Security and operational problems in the running service, and how to fix them.",
  async status(services) {
    const { problems } = await runChecks(services);
    return problems === 0 ? "no problems" : formatCount(problems, "problem");
  },
  view: ({ services }) => runChecks(services),
  page: ({ problems, checks }) => ({
    main: html`${summarySection(problems, checks.length)} ${mapHtml(SECTIONS, (one) => checkSection(one, checks))}`,
  }),
};

async function runChecks(services: ToolDeps): Promise<ReadinessView> {
  const facts = await readFacts(services);
  const checks = [...OPERATION_CHECKS, ...ACCESS_CHECKS].map(({ find, ...check }) => ({ ...check, ...find(facts) }));
  return { problems: checks.filter(({ state }) => state === "problem").length, checks };
}

function summarySection(problems: number, total: number): Html {
  if (problems === 0) return html`<p class="notice good">No problems found in ${total} checks.</p>`;
  return html`<p class="notice warn">${formatCount(problems, "problem")} found in ${total} checks.</p>`;
}

const SECTIONS: readonly { state: CheckState; title: string }[] = [
  { state: "problem", title: "Problems" },
  { state: "unknown", title: "Not checked" },
  { state: "ok", title: "Passed" },
];

const STATE_BADGES: Record<CheckState, Html> = {
  problem: html`<span class="badge warn">problem</span>`,
  unknown: html`<span class="badge">unknown</span>`,
  ok: html`<span class="badge good">OK</span>`,
};

const CHECK_COLUMNS: readonly Column<CheckedItem>[] = [
  { head: "Check", class: "words", cell: ({ title, state }) => html`${title} ${STATE_BADGES[state]}` },
  { head: "Found", narrow: "label", class: "words", cell: ({ found }) => found },
  { head: "Why it matters", narrow: "label", class: "words", cell: ({ why }) => why },
];

const REMEDY_COLUMN: Column<CheckedItem> = { head: "Remedy", narrow: "label", class: "words", cell: ({ remedy }) => remedy };

function checkSection({ state, title }: (typeof SECTIONS)[number], checks: readonly CheckedItem[]): Html {
  const items = checks.filter((check) => check.state === state);
  if (items.length === 0) return emptyHtml;
  const columns = state === "ok" ? CHECK_COLUMNS : [...CHECK_COLUMNS, REMEDY_COLUMN];
  return html`<section>
    <h2>${title}</h2>
    ${columnTable({ label: title, narrow: "stacked" }, columns, items)}
  </section>`;
}
