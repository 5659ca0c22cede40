import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Config } from "../../../config.ts";
import { isSecretName } from "../../../secrets/names.ts";
import { type SettingName, settings } from "../../../settings.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import type { Tool } from "../tool.ts";

type ShownSetting = { name: string; value: string | undefined; from: "environment" | "default"; rule: string; about: string };

type EnvView = { settings: readonly ShownSetting[]; suspects: readonly string[] };

/** Visible only to administrators, because it lists trusted proxies, hosts and user names. */
export const envTool: Tool<EnvView> = {
  slug: "env",
  access: "admin",
  title: "Environment",
  about: "All settings with their effective values. Secrets and other environment variables are never shown.",
  status({ config }) {
    const misspelledText = config.misspelled.length === 0 ? "" : `, ${config.misspelled.length} misspelled`;
    return `${config.set.size} set, ${Object.keys(settings).length - config.set.size} with default values${misspelledText}`;
  },
  view: ({ services: { config } }) => ({ settings: describeSettings(config), suspects: config.misspelled }),
  page: (view) => ({
    main: html`${misspelledNotice(view.suspects)} ${columnTable({ label: "Settings", narrow: "stacked" }, SETTING_COLUMNS, view.settings)}`,
  }),
};

function describeSettings(config: Config): ShownSetting[] {
  const descriptions = readDescriptions();
  const effectiveValues = { ...config.values, DATA_DIR: config.dataDir, WORKERS: config.workers };
  return (Object.keys(settings) as SettingName[]).map((name) => ({
    name,
    value: shownValue(name, effectiveValues[name]),
    from: config.set.has(name) ? "environment" : "default",
    rule: describeRule(name),
    about: descriptions.get(name) ?? "",
  }));
}

function shownValue(name: SettingName, value: Config["values"][SettingName]): string | undefined {
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(", ") : value.toString();
  if (isSecretName(name)) return MASKED_TEXT;
  if (name === "ERROR_WEBHOOK_URL") return maskUrlPath(text);
  return text.includes("://") ? maskUrl(text) : text;
}

/** Derives the rule from the schema. For a string, uses the error message for an invalid value. */
function describeRule(name: SettingName): string {
  const schema = z.toJSONSchema(settings[name], { io: "input", unrepresentable: "any" });
  const { type, enum: values, minimum, maximum, description } = schema;
  if (description !== undefined) return description;
  if (values) return values.join(", ");
  if (type === "integer") return `a whole number from ${minimum ?? ""} to ${maximum ?? ""}`;
  const error = settings[name].safeParse("\0").error?.issues[0]?.message;
  return error?.replace(/^must (?:be|have) /, "") ?? "text";
}

const EXAMPLE_FILE = new URL("../../../../.env.example", import.meta.url);

/** Reads the comments in `.env.example`. One comment can describe several settings. */
function readDescriptions(): Map<string, string> {
  const descriptions = new Map<string, string>();
  let comment: string[] = [];
  let named = false;
  for (const line of readFileSync(EXAMPLE_FILE, "utf8").split("\n")) {
    const name = /^([A-Z][A-Z_]*)=/.exec(line)?.[1];
    if (name !== undefined) descriptions.set(name, comment.join(" "));
    else if (line.startsWith("#")) comment = [...(named ? [] : comment), line.replace(/^#+ */, "")];
    else comment = [];
    named = name !== undefined;
  }
  return descriptions;
}

function misspelledNotice(names: readonly string[]): Html {
  if (names.length === 0) return emptyHtml;
  return html`<div class="notice warn">
    <p>Environment variables that look like misspelled settings: ${mapHtml(names, (name) => html`<code>${name}</code> `)}</p>
  </div>`;
}

const NOT_SET_LABEL = html`<span class="muted">not set</span>`;
const SETTING_COLUMNS: readonly Column<ShownSetting>[] = [
  { head: "Setting", class: "nowrap", cell: ({ name }) => html`<code>${name}</code>` },
  { head: "Value", cell: ({ value }) => (value ? html`<code>${value}</code>` : NOT_SET_LABEL) },
  { head: "Source", narrow: "label", cell: ({ from }) => from },
  { head: "Rule", narrow: "label", cell: ({ rule }) => rule },
  { head: "Description", class: "words", cell: ({ about }) => about },
];

/** Shown instead of a secret. Reveals neither its length nor its hash, because either one would make it easier to guess. */
export const MASKED_TEXT = "set";

/** Masks the secrets in a URL, or the whole string if it is not a valid URL. */
export function maskUrl(address: string): string {
  if (!URL.canParse(address)) return MASKED_TEXT;
  const url = new URL(address);
  const secrets = [...url.searchParams].filter(([name]) => /pass|secret|token|key/i.test(name));
  const names = [...(url.password === "" ? [] : ["password"]), ...secrets.map(([name]) => name)];
  for (const [name] of secrets) url.searchParams.delete(name);
  url.password = "";
  const notes = names.map((name) => `${name} ${MASKED_TEXT}`);
  return notes.length === 0 ? address : `${url.href} (${notes.join("; ")})`;
}

export function maskUrlPath(address: string): string {
  return `${new URL(address).origin}/…`;
}
