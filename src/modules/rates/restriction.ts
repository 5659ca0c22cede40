import { type AttributeIn, definitionOf, RESTRICTIONS } from "../../calendar/attributes.ts";
import type { RateNight } from "../../grid/lane.ts";

/** The attributes of a night that limit its sale. */
export type Restriction = Pick<RateNight, AttributeIn<"restrictions">>;

const LONGEST_PATTERN = 8;

/** Badges for the restrictions of a night; the legend explains each. A limit that limits nothing has none. */
export function restrictionBadges(night: Restriction): string[] {
  const badges: string[] = [];
  for (const name of RESTRICTIONS) {
    const { badge } = definitionOf(name)!;
    const value = night[name];
    if (value === true && badge) badges.push(badge.code);
    else if (typeof value === "number" && badge && value >= (badge.from ?? 0)) badges.push(`${badge.code} ${value}`);
  }
  addAdvance(badges, night);
  if (night.pattern !== undefined) badges.push(`PAT ${shortened(night.pattern)}`);
  return badges;
}

function shortened(pattern: string): string {
  return pattern.length > LONGEST_PATTERN ? `${pattern.slice(0, LONGEST_PATTERN)}…` : pattern;
}

/** One badge for both ends of the booking window, in days before arrival. */
function addAdvance(badges: string[], { minAdvance = 0, maxAdvance }: Restriction): void {
  if (maxAdvance !== undefined) badges.push(minAdvance > 0 ? `ADV ${minAdvance}-${maxAdvance}` : `ADV max ${maxAdvance}`);
  else if (minAdvance > 0) badges.push(`ADV min ${minAdvance}`);
}
