import type { ErrorGroup, StateReason } from "../../../errors/entry.ts";
import { type StoredAuditEntry } from "../../../records/audit.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { byActor } from "../../../web/parts/history.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { localMoment, momentHtml, relativeMoment } from "../../../web/parts/moment.ts";
import { withQuery } from "../../../web/path.ts";
import { type ActionForm, actionForm } from "./group-form.ts";
import { LIST_PATH } from "./list-page.ts";
import { dayChart, type DayCount } from "./trend.ts";

export type GroupView = { group: ErrorGroup; days: readonly DayCount[]; changes: readonly StoredAuditEntry[] };

export function groupPanel(view: GroupView | undefined, form: ActionForm): Html {
  return html`<section aria-labelledby="group">
    <h2 id="group">Group</h2>
    ${view === undefined ? noGroup : panelContent(view, form)}
  </section>`;
}

const noGroup = html`<p class="muted">This entry has no group. It has not been grouped yet, or its group was deleted.</p>`;

function panelContent({ group, days, changes }: GroupView, form: ActionForm): Html {
  const { id, state, count, firstAt, lastAt } = group;
  return html`<dl class="facts">
      <dt>State</dt>
      <dd>${stateNote(group)}</dd>
      <dt>Seen</dt>
      <dd>${formatCount(count, "time")}, first ${relativeMoment(firstAt)}, last ${relativeMoment(lastAt)}</dd>
      <dt>Grouped by</dt>
      <dd>${criteriaList(group)}</dd>
    </dl>
    ${actionForm(form, { legend: "Change state", state })} ${dayChart(days, id)}
    <p class="links">
      <a href="${withQuery(LIST_PATH, { group: id })}">All entries in this group</a>
      <a href="${withQuery(LIST_PATH, { view: "groups", state })}">All ${state} groups</a>
    </p>
    ${historyList(changes)}`;
}

function criteriaList({ source, class: name, pattern, place, algorithm }: ErrorGroup): Html {
  const location = place === "" ? emptyHtml : html`, location <code>${place}</code>`;
  return html`Source <code>${source}</code>, class <code>${name}</code>, message pattern
    <code>${isolateDirections(pattern)}</code>${location} (grouping rules version ${formatNumber(algorithm)})`;
}

function historyList(changes: readonly StoredAuditEntry[]): Html {
  if (changes.length === 0) return emptyHtml;
  return html`<h3>State history</h3>
    <ul>
      ${mapHtml(changes, ({ at, actor, changes: [change] }) => html`<li>${relativeMoment(at)} ${byActor(actor)}: ${change?.to ?? ""}</li>`)}
    </ul>`;
}

type GroupStatus = Pick<ErrorGroup, "state" | "reason" | "stateAt" | "mutedUntil" | "muteAbove">;

export function stateNote(group: GroupStatus): Html {
  const { text, at } = explainState(group);
  return html`<span class="badge ${STATE_BADGES[group.state]}">${group.state}</span> ${
      at === undefined ? text : html`${text} <span class="nowrap">${momentHtml(at)}</span>`
    }`;
}

const STATE_BADGES = { open: "warn", resolved: "good", muted: "" } as const;

export function stateText(group: GroupStatus): string {
  const { text, at } = explainState(group);
  return [group.state, text, at === undefined ? "" : localMoment(at)].filter(Boolean).join(" ");
}

function explainState({ state, reason, stateAt, mutedUntil, muteAbove }: GroupStatus): { text: string; at: number | undefined } {
  if (muteAbove !== undefined) return { text: `until more than ${formatCount(muteAbove, "entry", "entries")} per hour`, at: undefined };
  if (state === "muted") return { text: "until", at: mutedUntil };
  if (state === "open" && reason === "new") return { text: "", at: undefined };
  return { text: state === "open" && reason === "person" ? "reopened" : REASON_TEXTS[reason], at: stateAt };
}

const REASON_TEXTS: Readonly<Record<StateReason, string>> = {
  new: "",
  regressed: "regressed",
  louder: "exceeded mute limit",
  expired: "mute expired",
  person: "",
};
