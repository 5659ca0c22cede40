import { counted } from "../../web/parts/amount.ts";
import { MAX_SEGMENT_LENGTH } from "../../web/target.ts";

/** A route whose path is close to one that matches nothing, and the difference in a sentence. */
export type NearMiss = { path: string; why: string };

const CLOSE = 1.9;
const SHOWN = 3;

/** The routes closest to `path` (as a browser sends it), best first; `routes` have their parameters in braces. */
export function nearMisses(path: string, routes: readonly string[]): NearMiss[] {
  const given = segmentsOf(path);
  const rated = [...new Set(routes)].map((route) => ({ route, cost: distance(given, segmentsOf(route)) }));
  const close = rated.filter(({ cost }) => cost <= CLOSE).toSorted((a, b) => a.cost - b.cost);
  return close.slice(0, SHOWN).map(({ route }) => ({ path: route, why: explain(given, segmentsOf(route)) }));
}

function segmentsOf(path: string): string[] {
  return path === "/" ? [] : path.split("/").slice(1);
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

/** How far a path is from a route; one that shares no word with it is further. */
function distance(given: readonly string[], wanted: readonly string[]): number {
  return leastCost(given, wanted, segmentCost) + (wanted.some((segment) => given.includes(segment)) ? 0 : 1);
}

/** What it costs to put in, take out (1 each) or change items (`costOf`) until one row is the other. */
function leastCost(given: readonly string[], wanted: readonly string[], costOf: (one: string, other: string) => number): number {
  let above = Array.from({ length: wanted.length + 1 }, (_, column) => column);
  for (const [row, one] of given.entries()) {
    const current = [row + 1];
    for (const [column, other] of wanted.entries()) {
      current.push(Math.min(above[column + 1]! + 1, current[column]! + 1, above[column]! + costOf(one, other)));
    }
    above = current;
  }
  return above[wanted.length]!;
}

/** A changed letter or two counts less than another word. */
function segmentCost(segment: string, wanted: string): number {
  if (isParameter(wanted)) return segment === "" ? 0.9 : 0.1;
  if (segment === wanted) return 0;
  return isAlike(segment, wanted) ? 0.5 : 2;
}

/** At most two letters differ, whatever their case. */
function isAlike(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2 || other.length > 40) return false;
  return leastCost(Array.from(one.toLowerCase()), Array.from(other.toLowerCase()), (a, b) => (a === b ? 0 : 1)) <= 2;
}

function explain(given: readonly string[], wanted: readonly string[]): string {
  if (given.includes("")) return "The path has an empty segment, and an empty segment is no value.";
  if (given.length !== wanted.length) return explainLength(given.length, wanted);
  const different = wanted.map((segment, index) => [segment, given[index]!] as const).filter(([a, b]) => !isParameter(a) && a !== b);
  if (different.length === 0) return `The path fits, but a value in it is ${given.some(isTooLong) ? "too long" : "no text"}.`;
  return different.map(([there, here]) => `It has “${there}” where this path has “${here}”.`).join(" ");
}

function isTooLong({ length }: string): boolean {
  return length > MAX_SEGMENT_LENGTH;
}

function explainLength(length: number, wanted: readonly string[]): string {
  const parameters = wanted.filter(isParameter);
  const values =
    parameters.length === 0
      ? ""
      : ` with ${parameters.length === 1 ? "a value" : `${parameters.length} values`}: ${parameters.join(" and ")}`;
  const difference = wanted.length - length;
  const verdict = difference > 0 ? `${difference} ${difference === 1 ? "is" : "are"} missing` : `${-difference} too many`;
  return `It has ${counted(wanted.length, "segment")}${values}; this path has ${counted(length, "segment")}, so ${verdict}.`;
}
