import type { Attribute, AttributeValue, Group, AttributeMap } from "../../../../calendar/attributes.ts";
import { decodePage } from "../../../../calendar/codec.ts";
import { compareText } from "../../../../calendar/compare-text.ts";
import type { StoredPage } from "../../../../calendar/draft.ts";
import { joinColumns, type LaneKey, laneName, type LaneNights } from "../../../../calendar/lane.ts";
import type { NightRange } from "./night-ranges.ts";

/** A lane's nights. The columns start at the first requested night. */
export type StoredLane = LaneKey & Pick<LaneNights, "columns">;

/** Decodes one lane at a time, sorted by category. A category's own nights precede those under its rate plans. */
export function* storedLanes(
  pages: readonly StoredPage[],
  { first, last }: NightRange,
  groups?: readonly Group[],
): Generator<StoredLane, undefined> {
  for (const lanePages of Map.groupBy(pages.toSorted(compareLanes), laneName).values()) {
    const { kind, category, lane } = lanePages[0]!;
    const decodedPages = lanePages.map(({ span, bytes }) => decodePage(span, bytes, groups));
    yield { kind, category, lane, columns: joinColumns(decodedPages, first, last).columns };
  }
}

function compareLanes(a: StoredPage, b: StoredPage): number {
  return compareText(a.category, b.category) || compareText(a.kind, b.kind) || compareText(a.lane, b.lane);
}

/** Consecutive nights with the same values. */
export type Run = NightRange & { values: AttributeMap };

/** Splits nights into runs with equal values, omitting nights without values. `from` is the first night of the columns. */
export function* splitIntoRuns(
  { columns }: Pick<StoredLane, "columns">,
  attributes: readonly Attribute[],
  { first, last, from }: NightRange & { from: number },
): Generator<Run, undefined> {
  const usedColumns = attributes.flatMap((attribute) => {
    const values = columns.get(attribute);
    return values ? [{ attribute, values }] : [];
  });
  if (usedColumns.length === 0) return;
  const valuesAt = (night: number): AttributeMap =>
    new Map(usedColumns.flatMap(({ attribute, values }) => valueAt(attribute, values[night - from])));
  for (let start = first, end = first; start <= last; start = end + 1) {
    end = start;
    while (end < last && usedColumns.every(({ values }) => values[start - from] === values[end + 1 - from])) end++;
    const values = valuesAt(start);
    if (values.size > 0) yield { first: start, last: end, values };
  }
}

function valueAt(attribute: Attribute, value: AttributeValue | undefined): [Attribute, AttributeValue][] {
  return value === undefined ? [] : [[attribute, value]];
}
