import type { OpenSession } from "../../../access/sessions.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { browserName } from "../../../web/parts/browser-name.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";

/** `current` is the ID of the viewer's own session. */
export type SessionsView = { sessions: readonly OpenSession[]; current: string | undefined };

export function sessionsTable({ sessions, current }: SessionsView, token: string): Html {
  const columns: readonly Column<OpenSession>[] = [
    { head: "Browser", cell: ({ id, agent }) => html`${agentName(agent)} ${id === current ? currentSessionMark : emptyHtml}` },
    { head: "Address", narrow: "label", cell: ({ address }) => address },
    { head: "Signed in", class: "nowrap", narrow: "label", cell: ({ createdAt }) => relativeMoment(createdAt) },
    { head: "Last seen", class: "nowrap", narrow: "label", cell: ({ seenAt }) => relativeMoment(seenAt) },
    { head: { action: "Sign out" }, cell: (session) => (session.id === current ? undefined : endForm(session, token)) },
  ];
  return columnTable({ label: "Sessions", narrow: "stacked" }, columns, sessions);
}

const currentSessionMark = html`<strong class="muted">(this session)</strong>`;

function agentName(agent: string | undefined): Html {
  return html`<span title="${agent ?? ""}">${browserName(agent) ?? "Unknown"}</span>`;
}

function endForm({ id, agent }: OpenSession, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <button type="submit" class="small" name="action" value="end-session">
      Sign out <span class="visually-hidden">${browserName(agent) ?? "unknown browser"}</span>
    </button>
  </form>`;
}

export function endAllForm(token: string, label: string): Html {
  return ifAllowed(
    html`<form method="post">
      ${tokenField(token)}
      <button type="submit" name="action" value="end-sessions">${label}</button>
    </form>`,
  );
}

/** Returns sessions for JSON, without their IDs. */
export function sessionsJson({ sessions, current }: SessionsView) {
  return sessions.map(({ id, agent, address, createdAt, seenAt }) => {
    return { agent, address, signedInAt: new Date(createdAt), lastSeenAt: new Date(seenAt), current: id === current };
  });
}
