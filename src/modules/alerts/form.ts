import { HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { findProperty } from "../../records/property/store.ts";
import type { Faults, TypedValues } from "../../web/form.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { groupExists } from "./findings-store.ts";
import { hasScope, isRuleKind, findLimit, type RuleFields } from "./rules.ts";

export const MUTE_DURATIONS = [
  ["1", "1 hour"],
  ["8", "8 hours"],
  ["24", "1 day"],
  ["168", "7 days"],
  ["720", "30 days"],
] as const;

export async function readRule(
  typed: TypedValues,
  database: Database,
): Promise<{ ok: true; value: RuleFields } | { ok: false; faults: Faults }> {
  const { kind = "", limit = "", property = "", group = "" } = typed;
  if (!isRuleKind(kind)) return { ok: false, faults: { kind: "Choose what to watch" } };
  const faults: Record<string, string> = {};
  const allowedLimit = findLimit(kind);
  if (allowedLimit && !(/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= allowedLimit.max))
    faults["limit"] =
      `Enter 1 to ${allowedLimit.unit === "percent" ? `${allowedLimit.max} %` : formatCount(allowedLimit.max, allowedLimit.unit)}`;
  if (!hasScope(kind) && property !== "") faults["property"] = "Leave this blank; the rule applies to the whole service";
  if (!hasScope(kind) && group !== "") faults["group"] = "Leave this blank; the rule applies to the whole service";
  if (property !== "" && group !== "") faults["group"] ??= "Enter a property or a group, not both";
  if (property !== "" && !(await findProperty(database, property))) faults["property"] ??= `Property ${property} does not exist`;
  if (group !== "" && !(await groupExists(database, group))) faults["group"] ??= `There are no properties in group ${group}`;
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  const scope = { property: property || undefined, group: group || undefined };
  return { ok: true, value: { kind, limit: allowedLimit ? Number(limit) : 0, ...scope } };
}

/** Returns the end of the mute, in milliseconds since 1970, or undefined if the choice is unknown. */
export function readMute({ hours = "" }: TypedValues, now: number): number | undefined {
  const choice = MUTE_DURATIONS.find(([one]) => one === hours);
  return choice && now + Number(choice[0]) * HOUR_MS;
}
