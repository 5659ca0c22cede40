import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assigns, FIRST } from "../../test/support/operations.ts";
import { applyOperations } from "./apply.ts";
import { ALL_GROUPS, type Attribute, type AttributeValue, setterName } from "./attributes.ts";
import { decodePage } from "./codec.ts";
import { joinColumns } from "./lane.ts";
import type { Night } from "./night.ts";
import type { AssignOperation } from "./operation.ts";
import { fromCell, type Page, spanOf } from "./page.ts";
import { cellAt, SPAN_DAYS } from "./runs.ts";

const SETTERS = ALL_GROUPS.map(setterName);
const nights = fc.tuple(fc.integer({ min: FIRST - SPAN_DAYS, max: FIRST + 2 * SPAN_DAYS }), fc.nat(2 * SPAN_DAYS));

/** Returns the pages of a lane with groups of both kinds. */
function pagesOf(all: readonly AssignOperation[]): Page[] {
  const operations = all.map((operation): AssignOperation => ({ ...operation, kind: "rate", category: "DBL", lane: "BAR" }));
  return applyOperations([], operations, 7).pages.flatMap(({ span, bytes }) => (bytes ? [decodePage(span, bytes)] : []));
}

function valueAt(pages: readonly Page[], column: Attribute, night: Night): AttributeValue | undefined {
  const page = pages.find(({ span }) => span === spanOf(night));
  const runs = page?.columns.get(column);
  return runs && fromCell(page!, column, cellAt(runs, night - page!.first));
}

test("reads any range of a lane's nights", () => {
  fc.assert(
    fc.property(fc.array(assigns, { minLength: 1, maxLength: 5 }), nights, (all, [first, length]) => {
      const pages = pagesOf(all);
      const { columns, setters } = joinColumns(pages, first, first + length);
      const found = new Map([...columns, ...[...setters].map(([group, messages]) => [setterName(group), messages] as const)]);
      const named = new Set(pages.flatMap((page) => [...page.columns.keys()]).concat(SETTERS));
      for (const column of named) {
        const expected = Array.from({ length: length + 1 }, (_, index) => valueAt(pages, column, first + index));
        assert.deepEqual(found.get(column), expected.some((value) => value !== undefined) ? expected : undefined, column);
      }
    }),
    { numRuns: 200 },
  );
});
