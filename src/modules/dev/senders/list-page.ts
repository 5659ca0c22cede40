import { type Html, html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { errorSummary, type FormState, selectBox, textField, tickField, tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { path } from "../../../web/path.ts";
import { describeProfile } from "../../channel/profiles/words.ts";
import type { SenderHealth } from "../../channel/senders/health-store.ts";
import type { Sender } from "../../channel/senders/store.ts";
import { PROFILE_CHOICES } from "../console/form.ts";
import { messageLink, shareCell } from "./health.ts";

export type ListedSender = Sender & { health: SenderHealth | undefined };

type SendersView = { senders: readonly ListedSender[]; state: FormState; token: string; now: number };

export function sendersPage({ senders, state, token, now }: SendersView): Page {
  return {
    title: "Connections",
    wide: true,
    refused: Object.keys(state.faults).length > 0,
    lead: "Property systems and channel managers that may post to /channel.",
    actions: html`<a class="button" href="${path`/dev`}">Developers</a> <a class="button" href="?format=json">JSON</a>`,
    main: html`${errorSummary(state.faults)}
    ${
      senders.length === 0
        ? html`<p class="empty">No connections yet.${ifAllowed(html` Create one and send its instructions to the vendor.`)}</p>`
        : columnTable({ label: "Connections", narrow: "stacked" }, columnsAt(now), senders)
    }
    ${ifAllowed(createForm(state, token))}`,
  };
}

function columnsAt(now: number): readonly Column<ListedSender>[] {
  return [
    { head: "Name", class: "name", cell: ({ name }) => html`<a href="${path`/dev/senders/${name}`}">${isolateDirections(name)}</a>` },
    { head: "State", narrow: "label", cell: (sender) => stateBadge(sender, now) },
    { head: "Profile", narrow: "label", cell: ({ profile }) => describeProfile(profile) },
    { head: "Properties", narrow: "label", cell: ({ hotels }) => (hotels === undefined ? "all" : shortList(hotels)) },
    { head: "Last accepted", narrow: "label", class: "nowrap", cell: ({ health }) => messageLink(health?.lastAccepted) },
    { head: "Last refused", narrow: "label", class: "long", cell: ({ health }) => refusedCell(health) },
    { head: "Accepted (last 24 hours)", narrow: "label", class: "nowrap", cell: ({ health }) => health && shareCell(health) },
  ];
}

const MAX_SHOWN_CODES = 3;

function shortList(codes: readonly string[]): string {
  const hiddenCount = codes.length - MAX_SHOWN_CODES;
  return hiddenCount > 0 ? `${codes.slice(0, MAX_SHOWN_CODES).join(", ")} and ${hiddenCount} more` : codes.join(", ");
}

/** Returns the sender's state. Previous secrets don't affect it. */
export function senderState({ disabledAt, expiresAt }: Sender, now: number): "enabled" | "disabled" | "expired" {
  if (disabledAt !== undefined) return "disabled";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "enabled";
}

export function stateBadge(sender: Sender, now: number): Html {
  const state = senderState(sender, now);
  return html`<span class="badge ${state === "enabled" ? "good" : "bad"}">${state === "expired" ? "secret expired" : state}</span>`;
}

function refusedCell(health: SenderHealth | undefined): Html | undefined {
  const last = health?.lastRefused;
  return (
    last &&
    html`${messageLink(last)!}
      <div class="muted clamp">${isolateDirections(last.summary)}</div>`
  );
}

function createForm(state: FormState, token: string): Html {
  return html`<section>
    <h2>New connection</h2>
    <form method="post">
      ${tokenField(token)}
      ${textField(state, { name: "name", label: "Name", required: true, hint: "The sender also signs in with this name." })}
      ${textField(state, { name: "properties", label: "Properties", hint: "Property codes, separated by commas. Required unless you choose all properties." })}
      ${tickField(state, { name: "all", label: "All properties, including those created later" })}
      ${selectBox("profile", "Profile", { value: state.typed["profile"] ?? "standard", choices: PROFILE_CHOICES, fault: state.faults["profile"] })}
      ${textField(state, { name: "settings", label: "Profile settings", hint: "For example, end=excluded, separated by spaces." })}
      ${textField(state, { name: "days", label: "Secret valid for (days)", type: "number", size: "short", hint: "Leave blank for no expiry." })}
      ${tickField(state, { name: "digest", label: "Uses WS-Security PasswordDigest", hint: "Roomrack then stores the secret in plain text, because a hash is not enough to check a digest." })}
      <p class="actions"><button type="submit" class="primary" name="action" value="create">Create connection</button></p>
    </form>
  </section>`;
}
