import type { RESTRICTIONS } from "../../calendar/column.ts";
import type { RateNight } from "../../grid/lane.ts";

/** The fields of a night that limit its sale. */
export type Restriction = Pick<RateNight, (typeof RESTRICTIONS)[number]>;

/** Limits of a stay, and the least number of nights that is one: a minimum of 1 night and a maximum of 0 limit nothing. */
const LIMITS = [
  ["MIN", "minStayArrival", 2],
  ["MAX", "maxStayArrival", 1],
  ["MIN-T", "minStayThrough", 2],
  ["MAX-T", "maxStayThrough", 1],
] as const;

/** The codes under which the restrictions of a night are shown; the legend explains each. A limit that limits nothing has none. */
export function restrictionCodes(night: Restriction): string[] {
  const codes: string[] = [];
  if (night.stopSell) codes.push("SS");
  if (night.closedToArrival) codes.push("CTA");
  if (night.closedToDeparture) codes.push("CTD");
  for (const [code, name, least] of LIMITS) {
    const nights = night[name];
    if (nights !== undefined && nights >= least) codes.push(`${code} ${nights}`);
  }
  addAdvance(codes, night);
  if (night.pattern !== undefined) codes.push(`PAT ${night.pattern.length > 8 ? `${night.pattern.slice(0, 8)}…` : night.pattern}`);
  return codes;
}

/** Days between booking and arrival. */
function addAdvance(codes: string[], { minAdvance = 0, maxAdvance }: Restriction): void {
  if (maxAdvance !== undefined) codes.push(minAdvance > 0 ? `ADV ${minAdvance}-${maxAdvance}` : `ADV max ${maxAdvance}`);
  else if (minAdvance > 0) codes.push(`ADV min ${minAdvance}`);
}
