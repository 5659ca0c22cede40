import type { RESTRICTIONS } from "../../calendar/column.ts";
import type { RateNight } from "../../grid/lane.ts";

/** The fields of a night that limit its sale. */
export type Restriction = Pick<RateNight, (typeof RESTRICTIONS)[number]>;

/** The codes under which the restrictions of a night are shown; the legend explains each. A limit that limits nothing has none. */
export function restrictionCodes(night: Restriction): string[] {
  const codes: string[] = [];
  if (night.stopSell) codes.push("SS");
  if (night.closedToArrival) codes.push("CTA");
  if (night.closedToDeparture) codes.push("CTD");
  addLimit(codes, "MIN", { nights: night.minStayArrival, from: 2 });
  addLimit(codes, "MAX", { nights: night.maxStayArrival, from: 1 });
  addLimit(codes, "MIN-T", { nights: night.minStayThrough, from: 2 });
  addLimit(codes, "MAX-T", { nights: night.maxStayThrough, from: 1 });
  addAdvance(codes, night);
  if (night.pattern !== undefined) codes.push(`PAT ${night.pattern.length > 8 ? `${night.pattern.slice(0, 8)}…` : night.pattern}`);
  return codes;
}

/** A minimum of 1 night and a maximum of 0 mean no limit. */
function addLimit(codes: string[], code: string, { nights, from }: { nights: number | undefined; from: number }): void {
  if (nights !== undefined && nights >= from) codes.push(`${code} ${nights}`);
}

/** Days between booking and arrival. */
function addAdvance(codes: string[], { minAdvance = 0, maxAdvance }: Restriction): void {
  if (maxAdvance !== undefined) codes.push(minAdvance > 0 ? `ADV ${minAdvance}-${maxAdvance}` : `ADV max ${maxAdvance}`);
  else if (minAdvance > 0) codes.push(`ADV min ${minAdvance}`);
}
