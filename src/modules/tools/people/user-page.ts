import { type Person, personState } from "../../../access/people.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { factRow } from "../../../web/parts/table.ts";
import { path } from "../../../web/path.ts";
import { roleField, ROLE_LABELS } from "./role-words.ts";
import { endAllForm, type SessionsView, sessionsTable } from "./sessions-table.ts";
import { SIGN_IN_LABELS, stateText } from "./users-page.ts";

/** `isRoleClaimed` means that the identity provider sets the role at each sign-in. */
type UserView = SessionsView & { person: Person; now: number; isRoleClaimed: boolean };

export function userPage({ person, now, isRoleClaimed, ...sessions }: UserView, token: string): Page {
  return {
    title: person.name,
    actions: html`<a class="button" href="${path`/tools/users`}">All users</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`<dl class="facts">
        ${factRow("Role", ROLE_LABELS[person.role])} ${factRow("State", stateText(person, now))}
        ${factRow("Sign-in", SIGN_IN_LABELS[person.source])} ${factRow("Last seen", relativeMoment(person.seenAt))}
        ${factRow("Password changed", relativeMoment(person.passwordAt))} ${factRow("Created", relativeMoment(person.createdAt))}
      </dl>
      <section>
        <h2>Sessions</h2>
        ${
          sessions.sessions.length === 0
            ? html`<p>Not signed in.</p>`
            : html`${sessionsTable(sessions, token)} ${endAllForm(token, "Sign out everywhere")}`
        }
      </section>
      <section>
        <h2>Role</h2>
        ${isRoleClaimed ? html`<p class="hint">The identity provider sets the role again at the next sign-in.</p>` : emptyHtml}
        ${roleForm(person, token)}
      </section>
      <section>
        <h2>Access</h2>
        ${accessForms(person, { now, token })}
      </section>`,
  };
}

function roleForm({ role }: Person, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)} ${roleField({ typed: { role }, faults: {} })}
    <p class="actions"><button type="submit" name="action" value="role">Change role</button></p>
  </form>`;
}

function accessForms(person: Person, { now, token }: { now: number; token: string }): Html {
  const isDisabled = person.disabledAt !== undefined;
  const hasPassword = personState(person, now) === "active";
  return html`${
      isDisabled || person.source !== "local"
        ? emptyHtml
        : actionForm(token, {
            action: "invite",
            label: hasPassword ? "Reset password" : "New invitation",
            about: hasPassword
              ? "Creates a link that lets the user choose a new password."
              : "Creates a link that lets the user choose a password. Earlier links stop working.",
          })
    }
    ${
      isDisabled
        ? actionForm(token, { action: "enable", label: "Enable", about: "Lets the user sign in again." })
        : actionForm(token, { action: "disable", label: "Disable", about: "Signs the user out immediately and refuses new sign-ins." })
    }
    <details>
      <summary>Delete user</summary>
      ${actionForm(token, {
        action: "delete",
        label: "Delete user",
        about: "Signs the user out and removes the account. The name remains in change histories. This cannot be undone.",
      })}
    </details>`;
}

type ActionForm = { action: string; label: string; about: string };

function actionForm(token: string, { action, label, about }: ActionForm): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <p>${about}</p>
    <p class="actions"><button type="submit" name="action" value="${action}">${label}</button></p>
  </form>`;
}
