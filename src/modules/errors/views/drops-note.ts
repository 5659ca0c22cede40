import type { Drop } from "../../../errors/storage/drop-store.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { amount, counted } from "../../../web/parts/amount.ts";
import { moment } from "../../../web/parts/moment.ts";
import { scrollTable } from "../../../web/parts/table.ts";

/** A rule in force, or one that was, with what it left out of the log; `drop` is undefined where that is nothing yet. */
export type LeftOut = { rule: string; drop: Drop | undefined };

/** Rules in force first. */
export function leftOutBy(rules: readonly string[], drops: readonly Drop[]): LeftOut[] {
  const before = drops.map(({ rule }) => rule).filter((rule) => !rules.includes(rule));
  return [...rules, ...before].map((rule) => ({ rule, drop: drops.find((drop) => drop.rule === rule) }));
}

/** Says that the log is not whole, where that is so. */
export function dropsNote(rows: readonly LeftOut[]): Html {
  if (rows.length === 0) return nothing;
  const heads = ["Rule", { number: "Left out" }, "First", "Last"];
  return html`<details class="notice warn">
    <summary>Not every error is in this log: ${summary(rows)}</summary>
    ${scrollTable({ label: "Errors left out of the log", heads, narrow: "stacked" }, each(rows, row))}
  </details>`;
}

function summary(rows: readonly LeftOut[]): string {
  const total = rows.reduce((sum, { drop }) => sum + (drop?.count ?? 0), 0);
  return total === 0 ? "what a rule leaves out is only counted." : `${counted(total, "was", "were")} left out and only counted.`;
}

function row({ rule, drop }: LeftOut): Html {
  return html`<tr>
    <th scope="row"><code>${rule}</code></th>
    <td class="number" data-label="Left out">${amount(drop?.count ?? 0)}</td>
    <td class="nowrap" data-label="First">${drop === undefined ? "–" : moment(drop.firstAt)}</td>
    <td class="nowrap" data-label="Last">${drop === undefined ? "–" : moment(drop.lastAt)}</td>
  </tr>`;
}
