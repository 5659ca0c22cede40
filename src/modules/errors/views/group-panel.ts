import type { KeptEntry } from "../../../db/audit.ts";
import type { ErrorGroup } from "../../../errors/storage/group.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { amount, counted } from "../../../web/parts/amount.ts";
import { byWhom } from "../../../web/parts/history.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { moment } from "../../../web/parts/moment.ts";
import { withQuery } from "../../../web/path.ts";
import { type ActionForm, actionForm } from "./action-form.ts";
import { stateNote } from "./state-note.ts";
import { type DayCount, daysPicture } from "./trend.ts";
import { LIST } from "./view-page.ts";

/** What the page of an entry tells of its group. */
export type GroupView = { group: ErrorGroup; days: readonly DayCount[]; changes: readonly KeptEntry[] };

/** The group of an entry: its state and what can be done, why it was put there, and how often it came. */
export function groupPanel(view: GroupView | undefined, form: ActionForm): Html {
  return html`<section aria-labelledby="group">
    <h2 id="group">Group</h2>
    ${view === undefined ? noGroup : content(view, form)}
  </section>`;
}

const noGroup = html`<p class="muted">This entry is in no group: it is still to be put into one, or the group is no longer kept.</p>`;

function content({ group, days, changes }: GroupView, form: ActionForm): Html {
  const { id, state, count, firstAt, lastAt } = group;
  return html`<dl class="facts">
      <dt>State</dt>
      <dd>${stateNote(group)}</dd>
      <dt>Seen</dt>
      <dd>${counted(count, "time")}, first ${moment(firstAt)}, last ${moment(lastAt)}</dd>
      <dt>Why grouped</dt>
      <dd>${reasons(group)}</dd>
    </dl>
    ${actionForm(form, { lead: "Change the state", state })} ${daysPicture(days, id)}
    <p class="links">
      <a href="${withQuery(LIST, { group: id })}">All entries of this group</a>
      <a href="${withQuery(LIST, { view: "groups", state })}">All ${state} groups</a>
    </p>
    ${history(changes)}`;
}

/** What the fingerprint was made of. */
function reasons({ source, class: name, pattern, place, algorithm }: ErrorGroup): Html {
  return html`The same source <code>${source}</code>, class <code>${name}</code>, message <code>${isolate(pattern)}</code> without what
    varies in it, and ${place === "" ? "no place" : html`place <code>${place}</code>`} (rules of version ${amount(algorithm)}).`;
}

function history(changes: readonly KeptEntry[]): Html {
  if (changes.length === 0) return nothing;
  return html`<h3>Who changed the state</h3>
    <ul>
      ${each(changes, ({ at, actor, changes: [change] }) => html`<li>${moment(at)} ${byWhom(actor)}: ${change?.to ?? ""}</li>`)}
    </ul>`;
}
