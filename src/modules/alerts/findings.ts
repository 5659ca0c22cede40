import { HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { listUnknownCodes } from "../channel/senders/refusal-store.ts";
import { listSenders } from "../channel/senders/store.ts";
import { countLastHour, countOpenGroups, findFailingWebhooks, findSilent, findWithProblem, listCodesIn } from "./findings-store.ts";
import type { AlertRule, RuleKindName } from "./rules.ts";

const MIN_MESSAGES_FOR_RATE = 5;
const MAX_LISTED_NAMES = 5;

type RuleCheck = { database: Database; rule: AlertRule; now: number };

/** Each kind of rule returns its finding as a sentence, or undefined. */
const CHECKS_BY_KIND: Readonly<Record<RuleKindName, (check: RuleCheck) => Promise<string | undefined>>> = {
  async silent({ database, rule, now }) {
    const silentProperties = await findSilent(database, rule, now - rule.limit * HOUR_MS);
    return codesSentence(silentProperties, `with no messages accepted for ${formatCount(rule.limit, "hour")}`);
  },
  async refused({ database, rule, now }) {
    const { refused, total } = await countLastHour(database, rule, now);
    if (total < MIN_MESSAGES_FOR_RATE || refused * 100 <= total * rule.limit) return undefined;
    return `${refused} of ${formatCount(total, "message")} in the last hour were refused.`;
  },
  async "no-price"({ database, rule, now }) {
    const properties = await findWithProblem(database, rule, { problem: "no price", nights: rule.limit, now });
    return codesSentence(properties, `with missing prices in the next ${formatCount(rule.limit, "night")}`);
  },
  async "no-count"({ database, rule, now }) {
    const properties = await findWithProblem(database, rule, { problem: "no count", nights: rule.limit, now });
    return codesSentence(properties, `with missing counts in the next ${formatCount(rule.limit, "night")}`);
  },
  "unknown-codes": findUnknownCodes,
  async webhook({ database }) {
    const names = await findFailingWebhooks(database);
    return names.length === 0 ? undefined : `${formatCount(names.length, "webhook")} failing: ${shortList(names)}.`;
  },
  async errors({ database, now }) {
    const count = await countOpenGroups(database, now - HOUR_MS);
    return count === 0 ? undefined : `Errors occurred in ${formatCount(count, "open group")} in the last hour.`;
  },
};

export function checkRule(check: RuleCheck): Promise<string | undefined> {
  return CHECKS_BY_KIND[check.rule.kind](check);
}

async function findUnknownCodes({ database, rule, now }: RuleCheck): Promise<string | undefined> {
  const coversAllProperties = rule.property === undefined && rule.group === undefined;
  const codes = coversAllProperties ? undefined : await listCodesIn(database, rule);
  const unknownCodes: string[] = [];
  for (const { name: sender } of await listSenders(database)) {
    for (const { kind, property, code } of await listUnknownCodes(database, { sender, now, days: 1 })) {
      if (codes !== undefined && (property === undefined || !codes.has(property))) continue;
      unknownCodes.push(`${kind} ${code}${property === undefined ? "" : ` of ${property}`} (${sender})`);
    }
  }
  return unknownCodes.length === 0 ? undefined : `${formatCount(unknownCodes.length, "unknown code")}: ${shortList(unknownCodes)}.`;
}

function codesSentence(codes: readonly string[], what: string): string | undefined {
  return codes.length === 0 ? undefined : `${formatCount(codes.length, "property", "properties")} ${what}: ${shortList(codes)}.`;
}

function shortList(names: readonly string[]): string {
  const hiddenCount = names.length - MAX_LISTED_NAMES;
  return hiddenCount > 0 ? `${names.slice(0, MAX_LISTED_NAMES).join(", ")} and ${hiddenCount} more` : names.join(", ");
}
