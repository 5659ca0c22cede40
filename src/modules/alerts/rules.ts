import { formatCount } from "../../web/parts/amount.ts";

/** The condition that a kind of rule checks. `limit` is absent if the condition has no limit. */
type RuleLimit = { unit: "hour" | "percent" | "night"; max: number };
type RuleKind = { label: string; limit?: RuleLimit; about: string };

export const RULE_KINDS = {
  silent: {
    label: "No messages accepted",
    limit: { unit: "hour", max: 720 },
    about: "No message for an active property has been accepted for the number of hours in the limit.",
  },
  refused: {
    label: "Refused messages",
    limit: { unit: "percent", max: 100 },
    about: "The percentage of messages refused in the last hour is above the limit. Applies only if there were at least 5 messages.",
  },
  "no-price": {
    label: "Missing prices",
    limit: { unit: "night", max: 400 },
    about: "An active property is missing a price on an upcoming night. The limit sets how many nights are checked.",
  },
  "no-count": {
    label: "Missing counts",
    limit: { unit: "night", max: 400 },
    about: "An active property is missing a count on an upcoming night. The limit sets how many nights are checked.",
  },
  "unknown-codes": { label: "Unknown codes", about: "Messages in the last 24 hours were refused because of codes that are still unknown." },
  webhook: { label: "Webhook failing", about: "A webhook is failing or was disabled automatically." },
  errors: { label: "Errors", about: "An error in an open group occurred in the last hour." },
} as const satisfies Readonly<Record<string, RuleKind>>;

export type RuleKindName = keyof typeof RULE_KINDS;

export function findLimit(kind: RuleKindName): RuleLimit | undefined {
  const ruleKind: RuleKind = RULE_KINDS[kind];
  return ruleKind.limit;
}

export function isRuleKind(text: string): text is RuleKindName {
  return Object.hasOwn(RULE_KINDS, text);
}

/** Applies to all properties unless `property` or `group` is set. `limit` is in the kind's unit, or 0 if it has none. */
export type AlertRule = {
  id: number;
  kind: RuleKindName;
  limit: number;
  property: string | undefined;
  group: string | undefined;
  createdBy: string;
};

export type RuleFields = Pick<AlertRule, "kind" | "limit" | "property" | "group">;

/** Returns whether rules of this kind can be limited to a group or property. */
export function hasScope(kind: RuleKindName): boolean {
  return kind !== "webhook" && kind !== "errors";
}

export function describeRule({ kind, limit, property, group }: RuleFields): string {
  const unit = findLimit(kind)?.unit;
  const { label } = RULE_KINDS[kind];
  if (!hasScope(kind)) return label;
  const scope = scopeText({ property, group });
  if (unit === undefined) return `${label}, ${scope}`;
  return `${label} (${unit === "percent" ? `${limit} %` : formatCount(limit, unit)}), ${scope}`;
}

function scopeText({ property, group }: Pick<RuleFields, "property" | "group">): string {
  if (property !== undefined) return `property ${property}`;
  return group === undefined ? "all properties" : `group ${group}`;
}
