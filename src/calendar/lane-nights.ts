import { ALL_GROUPS, setterColumn } from "./column.ts";
import type { Night } from "./night.ts";
import type { Column, ColumnValue, Group } from "./operation.ts";
import { fromCell, type Page, SPAN_DAYS, spanOf } from "./page.ts";

/** Nights of one category and lane, column by column: index 0 is the first night asked for, `undefined` is nothing received. */
export type LaneNights = {
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  /** Only columns that have something in these nights. */
  columns: ReadonlyMap<Column, readonly (ColumnValue | undefined)[]>;
  /** The message that last set each group. */
  setters: ReadonlyMap<Group, readonly (number | undefined)[]>;
};

/** What the pages of a lane hold for the nights from `first` to `last`, both included. */
export function columnsOf(pages: Iterable<Page>, first: Night, last: Night): Pick<LaneNights, "columns" | "setters"> {
  const found = new Map<Column, (ColumnValue | undefined)[]>();
  for (const page of pages) {
    if (page.span >= spanOf(first) && page.span <= spanOf(last)) addPage(found, page, { first, last });
  }
  const setters = new Map<Group, (number | undefined)[]>();
  for (const group of ALL_GROUPS) {
    const ids = found.get(setterColumn(group));
    if (ids) setters.set(group, ids as (number | undefined)[]);
    found.delete(setterColumn(group));
  }
  return { columns: found, setters };
}

function addPage(found: Map<Column, (ColumnValue | undefined)[]>, page: Page, { first, last }: { first: Night; last: Night }): void {
  const from = Math.max(first, page.first);
  const to = Math.min(last, page.first + SPAN_DAYS - 1);
  for (const [column, cells] of page.columns) {
    for (let night = from; night <= to; night++) {
      const value = fromCell(page, column, cells[night - page.first]!);
      if (value === undefined) continue;
      let values = found.get(column);
      if (!values) found.set(column, (values = Array<ColumnValue | undefined>(last - first + 1).fill(undefined)));
      values[night - first] = value;
    }
  }
}
