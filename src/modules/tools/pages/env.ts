import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Config, type SettingName, settings } from "../../../config.ts";
import { isSecretName } from "../../../secrets/names.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { scrollTable } from "../../../web/parts/table.ts";
import { MASKED, maskAddress, maskPath } from "../mask.ts";
import type { Tool } from "../tool.ts";

/** `value` is the effective one, masked where it is a secret, undefined where there is none. */
type Setting = { name: string; value: string | undefined; from: "environment" | "default"; rule: string; about: string };

/** `suspects` are names of the environment that look like a setting of ours spelled another way. */
type EnvView = { settings: readonly Setting[]; suspects: readonly string[] };

/** Not for viewers: it lists the proxies, hosts and user names that guard the service. */
export const envTool: Tool<EnvView> = {
  slug: "env",
  access: "admin",
  title: "Environment",
  about: "Every setting of the service with its effective value. Secrets are never shown, and nothing else of the environment is.",
  status({ config }) {
    const suspects = config.suspects.length === 0 ? "" : `, ${config.suspects.length} misspelled`;
    return `${config.set.size} set, ${Object.keys(settings).length - config.set.size} at their default${suspects}`;
  },
  view: ({ services: { config } }) => ({ settings: describeSettings(config), suspects: config.suspects }),
  page: (view) => ({ main: html`${suspectsNotice(view.suspects)} ${table(view.settings)}` }),
};

function describeSettings(config: Config): Setting[] {
  const descriptions = readDescriptions();
  const effective = { ...config.values, DATA_DIR: config.dataDir, WORKERS: config.workers };
  return (Object.keys(settings) as SettingName[]).map((name) => ({
    name,
    value: shownValue(name, effective[name]),
    from: config.set.has(name) ? "environment" : "default",
    rule: ruleOf(name),
    about: descriptions.get(name) ?? "",
  }));
}

function shownValue(name: SettingName, value: Config["values"][SettingName]): string | undefined {
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(", ") : value.toString();
  if (isSecretName(name)) return MASKED;
  if (name === "ERROR_WEBHOOK_URL") return maskPath(text);
  return text.includes("://") ? maskAddress(text) : text;
}

/** The rule in words, as far as the schema tells it: for a text, its message about one that breaks every rule. */
function ruleOf(name: SettingName): string {
  const schema = z.toJSONSchema(settings[name], { io: "input", unrepresentable: "any" });
  const { type, enum: values, minimum, maximum, description } = schema;
  if (description !== undefined) return description;
  if (values) return values.join(", ");
  if (type === "integer") return `a whole number from ${minimum ?? ""} to ${maximum ?? ""}`;
  const said = settings[name].safeParse("\0").error?.issues[0]?.message;
  return said?.replace(/^must (?:be|have) /, "") ?? "text";
}

const EXAMPLE = new URL("../../../../.env.example", import.meta.url);

/** What `.env.example` says above each setting; one comment may stand above several. */
function readDescriptions(): Map<string, string> {
  const descriptions = new Map<string, string>();
  let comment: string[] = [];
  let named = false;
  for (const line of readFileSync(EXAMPLE, "utf8").split("\n")) {
    const name = /^([A-Z][A-Z_]*)=/.exec(line)?.[1];
    if (name !== undefined) descriptions.set(name, comment.join(" "));
    else if (line.startsWith("#")) comment = [...(named ? [] : comment), line.replace(/^#+ */, "")];
    else comment = [];
    named = name !== undefined;
  }
  return descriptions;
}

function suspectsNotice(suspects: readonly string[]): Html {
  if (suspects.length === 0) return nothing;
  return html`<div class="notice warn">
    <p>Set in the environment, but not settings of ours; are they misspelled? ${each(suspects, (name) => html`<code>${name}</code> `)}</p>
  </div>`;
}

function table(rows: readonly Setting[]): Html {
  return scrollTable(
    { label: "Settings", heads: ["Setting", "Value", "From", "Rule", "What it is for"], narrow: "stacked" },
    each(
      rows,
      (setting) =>
        html`<tr>
          <th scope="row" class="nowrap"><code>${setting.name}</code></th>
          <td>
            ${setting.value === undefined || setting.value === "" ? html`<span class="muted">not set</span>` : html`<code>${setting.value}</code>`}
          </td>
          <td data-label="From">${setting.from}</td>
          <td data-label="Rule">${setting.rule}</td>
          <td class="words">${setting.about}</td>
        </tr>`,
    ),
  );
}
