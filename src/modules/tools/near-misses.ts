import { formatCount } from "../../web/parts/amount.ts";
import { MAX_SEGMENT_LENGTH } from "../../web/target.ts";

export type NearMiss = { path: string; why: string };

const MAX_EDIT_COST = 1.9;
const MAX_SHOWN_ROUTES = 3;

export function nearMisses(path: string, routes: readonly string[]): NearMiss[] {
  const requestedSegments = splitPath(path);
  const ratedRoutes = [...new Set(routes)].map((route) => ({ route, cost: pathDistance(requestedSegments, splitPath(route)) }));
  const closeRoutes = ratedRoutes.filter(({ cost }) => cost <= MAX_EDIT_COST).toSorted((a, b) => a.cost - b.cost);
  return closeRoutes
    .slice(0, MAX_SHOWN_ROUTES)
    .map(({ route }) => ({ path: route, why: explainDifference(requestedSegments, splitPath(route)) }));
}

function splitPath(path: string): string[] {
  return path === "/" ? [] : path.split("/").slice(1);
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

/** Returns the edit distance of two paths, plus 1 if they have no segments in common. */
function pathDistance(requested: readonly string[], route: readonly string[]): number {
  return editDistance(requested, route, segmentCost) + (route.some((segment) => requested.includes(segment)) ? 0 : 1);
}

/** Returns the edit distance. An insertion or deletion costs 1, a replacement costs `costOf`. */
function editDistance(requested: readonly string[], route: readonly string[], costOf: (one: string, other: string) => number): number {
  let above = Array.from({ length: route.length + 1 }, (_, column) => column);
  for (const [row, one] of requested.entries()) {
    const current = [row + 1];
    for (const [column, other] of route.entries()) {
      current.push(Math.min(above[column + 1]! + 1, current[column]! + 1, above[column]! + costOf(one, other)));
    }
    above = current;
  }
  return above[route.length]!;
}

function segmentCost(segment: string, route: string): number {
  if (isParameter(route)) return segment === "" ? 0.9 : 0.1;
  if (segment === route) return 0;
  return isSimilar(segment, route) ? 0.5 : 2;
}

function isSimilar(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2 || other.length > 40) return false;
  return editDistance(Array.from(one.toLowerCase()), Array.from(other.toLowerCase()), (a, b) => (a === b ? 0 : 1)) <= 2;
}

function explainDifference(requested: readonly string[], route: readonly string[]): string {
  if (requested.includes("")) return "The path has an empty segment, which is not a valid value.";
  if (requested.length !== route.length) return explainLength(requested.length, route);
  const differentSegments = route
    .map((segment, index) => [segment, requested[index]!] as const)
    .filter(([a, b]) => !isParameter(a) && a !== b);
  if (differentSegments.length === 0)
    return `The path matches, but a value in it is ${requested.some(({ length }) => length > MAX_SEGMENT_LENGTH) ? "too long" : "not valid text"}.`;
  return differentSegments.map(([expected, actual]) => `The route has “${expected}”, but this path has “${actual}”.`).join(" ");
}

function explainLength(length: number, route: readonly string[]): string {
  const parameters = route.filter(isParameter);
  const values =
    parameters.length === 0
      ? ""
      : ` with ${parameters.length === 1 ? "a value" : `${parameters.length} values`}: ${parameters.join(" and ")}`;
  const difference = route.length - length;
  const comparison = difference > 0 ? `${difference} ${difference === 1 ? "is" : "are"} missing` : `${-difference} too many`;
  return `The route has ${formatCount(route.length, "segment")}${values}; this path has ${formatCount(length, "segment")}, so ${comparison}.`;
}
