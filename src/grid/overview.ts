import { setImmediate as nextTurn } from "node:timers/promises";
import type { Path } from "../web/html.ts";
import { type GridSources, openScene, type PropertyChoice } from "./open.ts";
import type { GridOutlook } from "./outlook.ts";
import type { GridQuery } from "./query.ts";
import type { GridScene } from "./scene.ts";

/** A property with its nights, and what they come to. */
export type OverviewLine = PropertyChoice["lines"][number] & Pick<GridScene, "days"> & { outlook: GridOutlook };

/** What makes the lines: `outlook` sums up a grid. */
type Overview = { query: GridQuery; lines: PropertyChoice["lines"]; outlook(scene: GridScene): Promise<GridOutlook> };

/** Reads the grid of each property, each in a turn of the event loop of its own, as a grid may be large. */
export async function readOverview(sources: GridSources, base: Path, { query, lines, outlook }: Overview): Promise<OverviewLine[]> {
  const found: OverviewLine[] = [];
  for (const line of lines) {
    const scene = await openScene(sources, base, wholeOf(query, line.code));
    found.push({ ...line, days: scene.days, outlook: await outlook(scene) });
    await nextTurn();
  }
  return found;
}

/** A line as JSON; a night of which there is no number has none. */
export function lineJson({ code, name, lastMessageAt, days, outlook: { values, json } }: OverviewLine): object {
  const nights = days.map(({ iso }, index) => ({ night: iso, ...(values[index] !== undefined && json(values[index])) }));
  return { code, name, lastMessageAt: lastMessageAt === undefined ? undefined : new Date(lastMessageAt).toISOString(), nights };
}

/** The same nights in all rows of a property, as they are now. */
function wholeOf(query: GridQuery, property: string): GridQuery {
  return { ...query, ...UNNARROWED, property };
}

const UNNARROWED = {
  ...{ category: "", plan: "", asOf: undefined, only: undefined, updatedBefore: undefined, changedSince: undefined },
  ...{ night: undefined, nightRow: { category: "", plan: "", room: "" } },
};
