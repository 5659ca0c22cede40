import { type Person, type PersonState, personState } from "../../../access/people.ts";
import type { Faults, TypedValues } from "../../../web/form.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { errorSummary, textField, tokenField } from "../../../web/parts/fields.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { momentHtml, relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import { roleField, ROLE_LABELS } from "./role-words.ts";

/** `open` means that no sign-in is needed. */
type UsersView = { people: readonly Person[]; now: number; open: boolean };

type UsersForm = { typed: TypedValues; faults: Faults; token: string };

export function usersPage({ people, now, open }: UsersView, form: UsersForm): Page {
  return {
    title: "Users",
    wide: true,
    refused: Object.keys(form.faults).length > 0,
    lead: "The people who can sign in, and their roles.",
    actions: html`<a class="button" href="${path`/tools`}">All tools</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(form.faults)} ${open ? openNotice : emptyHtml}
      ${people.length === 0 ? emptyNotice : columnTable({ label: "Users", narrow: "stacked" }, columnsAt(now), people)}
      <p class="hint">ADMIN_PASSWORD and VIEWER_PASSWORD also sign in, as the users admin and viewer.</p>
      <section>
        <h2>New user</h2>
        ${newUserForm(form)}
      </section>`,
  };
}

const openNotice = html`<p class="notice">
  Access is open, so no one has to sign in yet. Set <code>ADMIN_PASSWORD</code> or <code>NODE_ENV=production</code> to change that.
</p>`;

const emptyNotice = html`<p class="empty">No users yet.</p>`;

function columnsAt(now: number): readonly Column<Person>[] {
  return [
    { head: "Name", cell: ({ name }) => html`<a href="${path`/tools/users/${name}`}">${isolateDirections(name)}</a>` },
    { head: "Role", narrow: "label", cell: ({ role }) => ROLE_LABELS[role] },
    { head: "State", narrow: "label", cell: (person) => stateText(person, now) },
    { head: "Last seen", class: "nowrap", narrow: "label", cell: ({ seenAt }) => relativeMoment(seenAt) },
    { head: "Sign-in", narrow: "label", cell: ({ source }) => SIGN_IN_LABELS[source] },
  ];
}

export const SIGN_IN_LABELS: Record<Person["source"], string> = { local: "Password", oidc: "Single sign-on" };

const STATE_LABELS: Record<PersonState, string> = {
  active: "Active",
  invited: "Invited",
  "invitation expired": "Invitation expired",
  disabled: "Disabled",
};

export function stateText(person: Person, now: number): Html {
  const state = personState(person, now);
  return state === "invited" ? html`Invited until ${momentHtml(person.invitedUntil)}` : html`${STATE_LABELS[state]}`;
}

function newUserForm({ token, ...state }: UsersForm): Html {
  return html`<form method="post">
    ${tokenField(token)}
    ${textField(state, { name: "name", label: "User name", hint: "For example, anna or anna@example.com. Not case-sensitive.", required: true })}
    ${roleField(state)}
    <p class="hint">You will get a link to send to the user, who then chooses a password.</p>
    <p class="actions"><button type="submit" class="primary" name="action" value="create">Create user</button></p>
  </form>`;
}
