import { setImmediate as nextTurn } from "node:timers/promises";
import type { Path } from "../web/html.ts";
import { type GridSources, openScene, type PropertyChoice } from "./open.ts";
import type { Outlook } from "./outlook.ts";
import type { GridQuery } from "./query.ts";
import type { GridScene } from "./scene.ts";

/** A property with what the nights of its grid come to. */
export type OverviewLine = PropertyChoice["lines"][number] & { outlook: Outlook };

/** What makes the lines: `outlook` sums up a grid. */
type Overview = { query: GridQuery; lines: PropertyChoice["lines"]; outlook(scene: GridScene): Promise<Outlook> };

/** Reads the grid of each property, each in a turn of the event loop of its own, as a grid may be large. */
export async function readOverview(sources: GridSources, base: Path, { query, lines, outlook }: Overview): Promise<OverviewLine[]> {
  const found: OverviewLine[] = [];
  for (const line of lines) {
    const scene = await openScene(sources, base, wholeOf(query, line.code));
    found.push({ ...line, outlook: await outlook(scene) });
    await nextTurn();
  }
  return found;
}

/** The same nights in all rows of a property, as they are now. */
function wholeOf(query: GridQuery, property: string): GridQuery {
  return { ...query, ...UNNARROWED, property };
}

const UNNARROWED = {
  ...{ category: "", plan: "", asOf: undefined, only: undefined, updatedBefore: undefined, changedSince: undefined },
  ...{ night: undefined, nightRow: { category: "", plan: "", room: "" } },
};
