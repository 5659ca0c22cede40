import { doubt } from "../../ota-error.ts";
import type { Place, Report } from "../../report.ts";

/** Warns, once for each category or room, that more rooms were sent than it has. */
export function overbookingOf(report: Report): (target: string, rooms: number, at: Place) => void {
  const told = new Set<string>();
  return (target, rooms, at) => {
    if (told.has(target)) return;
    told.add(target);
    report.warn(doubt(`more rooms than ${target} has (${rooms}) were sent`), at);
  };
}
