import type { Database } from "../../../db/database.ts";
import { CHANGE_KINDS } from "../../../journal/feed/store.ts";
import { isPropertyCode } from "../../../records/property/property.ts";
import { findProperty } from "../../../records/property/store.ts";
import { isVisible } from "../../../text.ts";
import type { Faults, TypedValues } from "../../../web/form.ts";
import { mapHtml, type Html, html } from "../../../web/html.ts";
import { type FormState, textField, tickField } from "../../../web/parts/fields.ts";
import type { Webhook, WebhookFields } from "../../../webhooks/store.ts";

const MAX_NAME_LENGTH = 60;
const MAX_URL_LENGTH = 2_000;

export const KIND_LABELS = {
  inventory: "Counts, closing seasons and allotments",
  rates: "Amounts and restrictions",
  record: "Properties, categories and rate plans",
} as const;

export const EMPTY_WEBHOOK: FormState = { typed: typedKinds(undefined), faults: {} };

export function typedWebhook({ name, url, properties, kinds, alerts }: Webhook): TypedValues {
  return { name, url, alerts: alerts ? "on" : "", properties: properties?.join(", ") ?? "", ...typedKinds(kinds) };
}

function typedKinds(kinds: Webhook["kinds"]): TypedValues {
  return Object.fromEntries(CHANGE_KINDS.map((kind) => [`kind-${kind}`, (kinds?.includes(kind) ?? true) ? "on" : ""]));
}

/** `allowsHttp` is true if the settings specify networks to which webhooks may be sent over plain HTTP. */
type FormChecks = { database: Database; allowsHttp: boolean };

export async function readWebhook(
  typed: TypedValues,
  checks: FormChecks,
): Promise<{ ok: true; value: WebhookFields } | { ok: false; faults: Faults }> {
  const { name = "", url = "" } = typed;
  const faults: Record<string, string> = {};
  if (name === "" || name.length > MAX_NAME_LENGTH || !isVisible(name))
    faults["name"] = `Enter a name of 1 to ${MAX_NAME_LENGTH} visible characters`;
  const urlFault = findUrlFault(url, checks);
  if (urlFault !== undefined) faults["url"] = urlFault;
  const properties = [...new Set((typed["properties"] ?? "").split(/[\s,]+/).filter(Boolean))];
  const unknownProperty = await findUnknownPropertyCode(checks.database, properties);
  if (unknownProperty !== undefined) faults["properties"] = `Property ${unknownProperty} does not exist`;
  const kinds = CHANGE_KINDS.filter((kind) => typed[`kind-${kind}`] === "on");
  const alerts = typed["alerts"] === "on";
  if (kinds.length === 0 && !alerts) faults["kind-inventory"] = "Choose at least one type of change, or alerts";
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  const value = {
    name,
    alerts,
    url: new URL(url).href,
    properties: properties.length === 0 ? undefined : properties,
    kinds: kinds.length === CHANGE_KINDS.length ? undefined : kinds,
  };
  return { ok: true, value };
}

/**
 * Returns the error for a webhook's URL, if any. IP addresses are checked when a webhook is sent, because host names may resolve
 * differently later.
 */
function findUrlFault(text: string, { allowsHttp }: FormChecks): string | undefined {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : undefined;
  if (url?.protocol === "http:" && !allowsHttp)
    return "Enter a URL that starts with https://. Plain HTTP requires the WEBHOOK_NETWORKS setting";
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return "Enter a URL such as https://hooks.example.com/path";
  return url.username + url.password === "" ? undefined : "Enter a URL without a user name or password";
}

async function findUnknownPropertyCode(database: Database, codes: readonly string[]): Promise<string | undefined> {
  for (const code of codes) if (!isPropertyCode(code) || !(await findProperty(database, code))) return code;
  return undefined;
}

export function webhookFields(state: FormState): Html {
  return html`${textField(state, { name: "name", label: "Name", required: true, hint: "The receiving system, such as “booking engine”." })}
    ${textField(state, { name: "url", label: "URL", type: "url", required: true, hint: "For example, https://hooks.example.com/path." })}
    ${textField(state, { name: "properties", label: "Properties", hint: "Property codes, separated by commas. Leave blank for all." })}
    <fieldset>
      <legend>Changes</legend>
      ${mapHtml(CHANGE_KINDS, (kind) => tickField(state, { name: `kind-${kind}`, label: kind, hint: `${KIND_LABELS[kind]}.` }))}
    </fieldset>
    ${tickField(state, { name: "alerts", label: "Alerts", hint: "Also sends each alert when it opens, then daily while it is open." })}`;
}
