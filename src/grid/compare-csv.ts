import type { CsvColumn } from "../web/csv.ts";
import { comparedNightJson, signedJson } from "./compare-json.ts";
import type { ComparedRows, NightPair } from "./compare.ts";

/** A line in a grid's CSV export, with both values for its night. `pair` is undefined if there is no data to compare with. */
export type ComparedLine<Line> = { line: Line; otherNight: string; pair: NightPair | undefined; differs: boolean };

type CellToJson = ComparedRows<unknown>["json"];

/** Returns the grid's columns, followed by the other night, both values and the change. */
export function comparedColumns<Line>(columns: readonly CsvColumn<Line>[], json: CellToJson): CsvColumn<ComparedLine<Line>>[] {
  const side = (name: "now" | "before"): CsvColumn<ComparedLine<Line>>[] => [
    { head: name, cell: ({ pair }) => pair && comparedNightJson(pair[name], json).value },
    { head: `${name}Unit`, cell: ({ pair }) => pair && comparedNightJson(pair[name], json).unit },
    { head: `${name}State`, cell: ({ pair }) => pair && comparedNightJson(pair[name], json).state },
  ];
  return [
    ...columns.map(({ head, cell }) => ({ head, cell: ({ line }: ComparedLine<Line>) => cell(line) })),
    { head: "otherNight", cell: ({ otherNight }) => otherNight },
    ...side("now"),
    ...side("before"),
    { head: "change", cell: ({ pair }) => pair && changeValue(pair, json) },
    { head: "differs", cell: ({ differs }) => differs },
  ];
}

/** Returns a number, because a string that begins with a minus sign would be escaped. */
function changeValue({ change, now }: NightPair, json: CellToJson): number | undefined {
  return change === undefined ? undefined : Number(signedJson(change, now.unit, json));
}
