import type { ErrorDetail } from "../../../errors/entry.ts";
import { OVERSIZE_RULE, REPEATS_RULE } from "../../../errors/rules.ts";
import type { RuleCount } from "../../../errors/storage/rule-count-store.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { momentHtml } from "../../../web/parts/moment.ts";

export type SkippedRule = { rule: string; count: RuleCount | undefined };

export type LogGaps = { skipped: readonly SkippedRule[]; trimmed: readonly RuleCount[]; megabytes: number };

export function skippedByRule(rules: readonly string[], counts: readonly RuleCount[]): SkippedRule[] {
  const formerRules = counts.map(({ rule }) => rule).filter((rule) => !rules.includes(rule));
  return [...rules, ...formerRules].map((rule) => ({ rule, count: counts.find((count) => count.rule === rule) }));
}

export function gapsNote({ skipped, trimmed, megabytes }: LogGaps): Html {
  const repeatsRule = trimmed.find(({ rule }) => rule === REPEATS_RULE);
  const oversizeRule = trimmed.find(({ rule }) => rule === OVERSIZE_RULE);
  return html`${skippedNote(skipped)} ${repeatsRule === undefined ? emptyHtml : repeatsNote(repeatsRule)}
  ${oversizeRule === undefined ? emptyHtml : oversizeNote(oversizeRule, megabytes)}`;
}

function skippedNote(rows: readonly SkippedRule[]): Html {
  if (rows.length === 0) return emptyHtml;
  return html`<details class="notice warn">
    <summary>${skippedSummary(rows)}</summary>
    ${columnTable({ label: "Skipped errors by rule", narrow: "stacked" }, RULE_COLUMNS, rows)}
  </details>`;
}

const RULE_COLUMNS: readonly Column<SkippedRule>[] = [
  { head: "Rule", cell: ({ rule }) => html`<code>${rule}</code>` },
  { head: { number: "Skipped" }, cell: ({ count }) => formatNumber(count?.count ?? 0) },
  { head: "First", class: "nowrap", narrow: "label", cell: ({ count }) => (count === undefined ? "–" : momentHtml(count.firstAt)) },
  { head: "Last", class: "nowrap", narrow: "label", cell: ({ count }) => (count === undefined ? "–" : momentHtml(count.lastAt)) },
];

function skippedSummary(rows: readonly SkippedRule[]): string {
  const total = rows.reduce((sum, { count }) => sum + (count?.count ?? 0), 0);
  return total === 0
    ? "This log skips errors that match a rule. None have been skipped so far."
    : `This log is incomplete: ${formatCount(total, "error was", "errors were")} skipped.`;
}

function repeatsNote({ count, lastAt }: RuleCount): Html {
  return html`<p class="notice">
    ${formatCount(count, "repeat was", "repeats were")} recorded without request context because too many arrived at once, most recently on
    ${momentHtml(lastAt)}.
  </p>`;
}

function oversizeNote({ count, lastAt }: RuleCount, megabytes: number): Html {
  return html`<p class="notice warn">
    ${formatCount(count, "old entry was", "old entries were")} removed to keep the log within ${formatNumber(megabytes)} MB, most recently
    on ${momentHtml(lastAt)}. <code>KEEP_ERRORS_MB</code> sets the limit.
  </p>`;
}

const CUT_REASONS = {
  size: "This entry was truncated. Limits: 1 kB per value, 8 kB for the request and 8 kB for other details. Truncated values show their original length.",
  repeat:
    "This error repeated too quickly, so only its time and path were kept, not the request. Earlier entries in its group may have the request.",
} as const;

export function cutText({ cut }: ErrorDetail): string | undefined {
  return cut && CUT_REASONS[cut];
}
