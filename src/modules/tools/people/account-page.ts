import type { Faults } from "../../../web/form.ts";
import type { Role, User } from "../../../web/guard/user.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { errorSummary, passwordField, tokenField } from "../../../web/parts/fields.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { factRow } from "../../../web/parts/table.ts";
import { newPasswordFields } from "./new-password.ts";
import { ROLE_LABELS } from "./role-words.ts";
import { endAllForm, type SessionsView, sessionsTable } from "./sessions-table.ts";

export type AccountView = SessionsView & { name: string; role: Role; signIn: SignInKind };

export type SignInKind = Exclude<User["kind"], "person"> | "password" | "single sign-on";

type AccountForm = { faults: Faults; token: string };

export function accountPage(view: AccountView, { faults, token }: AccountForm): Page {
  return {
    title: "Your account",
    refused: Object.keys(faults).length > 0,
    actions: html`<a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(faults)}
      <dl class="facts">
        ${factRow("User name", isolateDirections(view.name))} ${factRow("Role", ROLE_LABELS[view.role])}
        ${factRow("Signed in with", SIGN_IN_LABELS[view.signIn])}
      </dl>
      <section>
        <h2>Sessions</h2>
        ${sessionsSection(view, token)}
      </section>
      <section>
        <h2>Change password</h2>
        ${view.signIn === "password" ? passwordForm(view, { faults, token }) : html`<p>${NO_PASSWORD_TEXTS[view.signIn]}</p>`}
      </section>`,
  };
}

/** Returns whether the page contains a form and therefore needs a session. */
export function hasForm({ signIn, sessions: all, current }: AccountView): boolean {
  return signIn === "password" || all.some(({ id }) => id !== current);
}

const SIGN_IN_LABELS: Record<SignInKind, string> = {
  password: "User name and password",
  "single sign-on": "Single sign-on",
  shared: "Shared password",
  proxy: "The proxy in front of this service",
  token: "API token",
  open: "Not signed in (open access)",
};

const NO_PASSWORD_TEXTS: Record<Exclude<SignInKind, "password">, string> = {
  "single sign-on": "You sign in with single sign-on, so there is no password here.",
  shared: "Everyone who signs in as this user shares one password. To change it, set ADMIN_PASSWORD or VIEWER_PASSWORD.",
  proxy: "The proxy signs you in, so there is no password here.",
  token: "An API token has no password.",
  open: "Access is open, so there is no password.",
};

function sessionsSection(view: AccountView, token: string): Html {
  if (view.sessions.length === 0) return html`<p>No browser is signed in as this user.</p>`;
  const hasOtherSessions = view.sessions.some(({ id }) => id !== view.current);
  return html`${sessionsTable(view, token)} ${hasOtherSessions ? endAllForm(token, "Sign out everywhere else") : emptyHtml}`;
}

/** Shows the password form. Password managers save the new password under the name in the hidden field. */
function passwordForm({ name }: AccountView, { faults, token }: AccountForm): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="text" name="username" autocomplete="username" aria-label="User name" value="${name}" readonly hidden />
    ${passwordField({ typed: {}, faults }, { name: "currentPassword", label: "Current password", required: true, autocomplete: "current-password" })}
    ${newPasswordFields(faults)}
    <p class="hint">Changing the password signs you out everywhere else.</p>
    <p class="actions"><button type="submit" class="primary" name="action" value="change-password">Change password</button></p>
  </form>`;
}
