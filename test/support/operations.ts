import fc from "fast-check";
import { type Attribute, ALL_GROUPS, type AttributeValue, type Group, pageKind } from "../../src/calendar/attributes.ts";
import type { AssignOperation, ClearOperation, Operation } from "../../src/calendar/operation.ts";

/** 2027-03-23. The nights cover three pages. */
export const FIRST = 20_900;
const NIGHT_COUNT = 420;

const numbers = fc.oneof(
  { weight: 8, arbitrary: fc.nat(9) },
  fc.nat(300),
  fc.nat(70_000),
  fc.constantFrom(253, 254, 65_533, 65_534, 2 ** 32 - 3, 2 ** 32 - 2, Number.MAX_SAFE_INTEGER),
);
const texts = fc.constantFrom("", "EUR", "CHF", "YNNY", '[{"age":8,"amount":1050}]', "Zuschläge\u0000☃");

const COLUMNS: Record<Group, [Attribute, fc.Arbitrary<AttributeValue>][]> = {
  counts: [
    ["available", numbers],
    ["outOfOrder", numbers],
    ["derived", fc.nat(1)],
  ],
  closed: [["closed", fc.nat(1)]],
  allotment: [["allotment", numbers]],
  restrictions: [
    ["stopSell", fc.nat(1)],
    ["minStayArrival", fc.nat(14)],
    ["pattern", texts],
  ],
  amounts: [
    ["currency", fc.constantFrom("EUR", "CHF")],
    ["extras", texts],
    ["perPerson", fc.nat(1)],
    ["amount:after:2:10:1", numbers],
    ["amount:before:1:8:7", numbers],
  ],
};

export const SAMPLE_COLUMNS = Object.values(COLUMNS).flatMap((columns) => columns.map(([column]) => column));

const groups = fc.constantFrom(...ALL_GROUPS);
const category = fc.constantFrom("DBL", "SGL");
const lane = fc.constantFrom("", "BAR");
const range = fc
  .tuple(fc.nat(NIGHT_COUNT), fc.oneof(fc.nat(3), fc.nat(NIGHT_COUNT)))
  .map(([start, length]) => ({ first: FIRST + start, last: FIRST + start + length }));
const days = fc.oneof({ weight: 3, arbitrary: fc.constant(127) }, fc.integer({ min: 1, max: 126 }));

type Place = Pick<AssignOperation, "category" | "lane" | "first" | "last">;
const anywhere: fc.Arbitrary<Place> = fc.tuple(fc.record({ category, lane }), range).map(([one, nights]) => ({ ...one, ...nights }));
const overlapping: fc.Arbitrary<Place> = fc
  .tuple(fc.nat(6), fc.nat(6))
  .map(([start, length]) => ({ category: "DBL", lane: "", first: FIRST + start, last: FIRST + start + length }));

export const assigns: fc.Arbitrary<AssignOperation> = groups.chain((group) => assignsOf(group, anywhere));

function assignsOf(group: Group, places: fc.Arbitrary<Place>): fc.Arbitrary<AssignOperation> {
  const replace = fc.constantFrom(true, false, "older" as const);
  const values = fc
    .subarray(COLUMNS[group])
    .chain((chosen) => fc.tuple(...chosen.map(([column, some]) => valueOf(column, some))).map((some) => new Map(some)));
  const target = { type: "assign", kind: pageKind(group), group } as const;
  return fc.tuple(places, fc.record({ days, replace, values })).map(([place, what]) => ({ ...target, ...place, ...what }));
}

function valueOf(column: Attribute, values: fc.Arbitrary<AttributeValue>): fc.Arbitrary<readonly [Attribute, AttributeValue | undefined]> {
  return fc.option(values, { nil: undefined }).map((value) => [column, value] as const);
}

const clears: fc.Arbitrary<ClearOperation> = fc
  .record({
    kind: fc.constantFrom("inventory" as const, "rate" as const),
    groups: fc.uniqueArray(groups, { minLength: 1, maxLength: 3 }),
    category: fc.option(category, { nil: undefined }),
    lane: fc.option(lane, { nil: undefined }),
    range,
    open: fc.boolean(),
  })
  .map(({ kind, groups: cleared, category: c, lane: l, range: { first, last }, open }) => ({
    type: "clear",
    kind,
    groups: cleared,
    ...(c !== undefined && { category: c }),
    ...(l !== undefined && { lane: l }),
    from: first,
    ...(!open && { to: last }),
  }));

export const operations: fc.Arbitrary<Operation> = fc.oneof({ weight: 5, arbitrary: assigns }, clears);
export const messages = fc.oneof(
  messagesOf(operations),
  groups.chain((group) => messagesOf(assignsOf(group, overlapping))),
);

function messagesOf(some: fc.Arbitrary<Operation>): fc.Arbitrary<Operation[][]> {
  return fc.array(fc.array(some, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
}
