import { ALL_GROUPS, type Attribute, type AttributeValue, type Group, isText, type PageKind, setterName } from "./attributes.ts";
import { compareText } from "./compare-text.ts";
import type { Night } from "./night.ts";
import type { Page } from "./page.ts";
import { SPAN_DAYS } from "./runs.ts";

/**
 * Identifies a series of nights in a category: the category's counts (`lane` is empty), a physical room's counts (`lane` is its code), or
 * rates (`lane` is the rate plan's code, or empty for rates without a plan).
 */
export type LaneKey = { kind: PageKind; category: string; lane: string };

export function laneName({ kind, category, lane }: LaneKey): string {
  return `${kind}\n${category}\n${lane}`;
}

/** Compares two lanes by category, then by `lane`. */
export function compareCodes(a: Omit<LaneKey, "kind">, b: Omit<LaneKey, "kind">): number {
  return compareText(a.category, b.category) || compareText(a.lane, b.lane);
}

export type LaneNights = {
  category: string;
  lane: string;
  columns: ReadonlyMap<Attribute, readonly (AttributeValue | undefined)[]>;
  setters: ReadonlyMap<Group, readonly (number | undefined)[]>;
};

type ColumnValues = (AttributeValue | undefined)[];

export function joinColumns(pages: Iterable<Page>, first: Night, last: Night): Pick<LaneNights, "columns" | "setters"> {
  const columns = new Map<Attribute, ColumnValues>();
  for (const page of pages) addPage(columns, page, { first, last });
  const setters = new Map<Group, (number | undefined)[]>();
  for (const group of ALL_GROUPS) {
    const column = setterName(group);
    const ids = columns.get(column);
    if (ids && columns.delete(column)) setters.set(group, ids as (number | undefined)[]);
  }
  return { columns, setters };
}

function addPage(found: Map<Attribute, ColumnValues>, page: Page, { first, last }: { first: Night; last: Night }): void {
  const shift = page.first - first;
  const from = Math.max(0, -shift);
  const to = Math.min(SPAN_DAYS - 1, last - page.first);
  for (const [column, { ends, cells }] of page.columns) {
    const pageTexts = isText(column) ? page.texts : undefined;
    let values = found.get(column);
    for (let run = 0, start = 0; start <= to; start = ends[run++]!) {
      const cell = cells[run]!;
      if (cell < 0 || ends[run]! <= from) continue;
      if (!values) found.set(column, (values = Array<AttributeValue | undefined>(last - first + 1).fill(undefined)));
      values.fill(pageTexts ? pageTexts[cell] : cell, Math.max(start, from) + shift, ends[run]! + shift);
    }
  }
}
