import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FIRST, messages, operations, SAMPLE_COLUMNS } from "../../test/support/operations.ts";
import { type AppliedChanges, applyOperations } from "./apply.ts";
import { type Attribute, type AttributeValue, type Group, findGroup, type PageKind, setterName } from "./attributes.ts";
import { decodePage, encodePage } from "./codec.ts";
import type { StoredPage } from "./draft.ts";
import { weekdayBit } from "./night.ts";
import { type AssignOperation, type ClearOperation, EVERY_DAY, type Operation } from "./operation.ts";
import { emptyPage, fromCell, UNCHANGED_CELL, type Page } from "./page.ts";
import { expandRuns, SPAN_DAYS } from "./runs.ts";
import { revertPage } from "./undo.ts";

/** A simple model of the stored values. Keys are `kind category lane night column`. */
type Model = Map<string, AttributeValue>;

describe("applyOperations", () => {
  test("produces the same values as a simple reference implementation", () => {
    fc.assert(
      fc.property(messages, (all) => {
        const store = new Store();
        const model: Model = new Map();
        all.forEach((message, index) => {
          store.receive(message, index + 1);
          const sent = { message: index + 1, replaced: new Set<string>() };
          for (const operation of message) applyToModel(model, operation, sent);
        });
        assert.deepEqual(store.model(), model);
      }),
      { numRuns: 150 },
    );
  });

  test("stores the same values for a range as for its individual nights", () => {
    fc.assert(
      fc.property(messages, fc.array(operations, { minLength: 1, maxLength: 5 }), (before, message) => {
        const byRange = new Store(before);
        const byNight = byRange.copy();
        byRange.receive(message, 99);
        byNight.receive(message.flatMap(singleNights), 99);
        assert.deepEqual(byRange.pages, byNight.pages);
      }),
      { numRuns: 100 },
    );
  });

  test("changes no values if the same operations are applied again", () => {
    fc.assert(
      fc.property(messages, fc.array(operations, { minLength: 1, maxLength: 5 }), (before, message) => {
        const store = new Store(before);
        store.receive(message, 50);
        const afterFirst = store.copy();
        const repeated = store.receive(message, 50);
        const later = store.receive(message, 51);
        assert.deepEqual(repeated, { pages: [], changedNights: 0, lastNight: repeated.lastNight, changes: [] });
        assert.deepEqual([later.changedNights, later.changes], [0, []]);
        assert.ok(later.pages.every((page) => page.undo === undefined));
        assert.deepEqual(withoutSetters(store.model()), withoutSetters(afterFirst.model()));
      }),
      { numRuns: 100 },
    );
  });

  test("creates undo records that revert each message", () => {
    fc.assert(
      fc.property(messages, (all) => {
        const store = new Store();
        const states = all.map((message, index) => {
          const before = store.model();
          return { before, applied: store.receive(message, index + 1) };
        });
        for (const { before, applied } of states.toReversed()) {
          const changed = store.revert(applied);
          const now = store.model();
          assert.deepEqual(withoutSetters(now), withoutSetters(before));
          for (const key of changed) assert.equal(now.get(key), before.get(key));
        }
      }),
      { numRuns: 150 },
    );
  });

  test("reports every changed value with its old and new value", () => {
    fc.assert(
      fc.property(messages, fc.array(operations, { minLength: 1, maxLength: 5 }), (before, message) => {
        const store = new Store(before);
        const expected = withoutSetters(store.model());
        const { changes, changedNights } = store.receive(message, 99);
        const nights = new Set<string>();
        for (const { kind, category, lane, column, first, last, from, to } of changes) {
          for (let night = first; night <= last; night++) {
            const key = `${kind} ${category} ${lane} ${night} ${column}`;
            assert.equal(expected.get(key), from);
            put(expected, key, to);
            nights.add(`${kind} ${category} ${lane} ${night}`);
          }
        }
        assert.deepEqual(expected, withoutSetters(store.model()));
        assert.equal(changedNights, nights.size);
      }),
      { numRuns: 100 },
    );
  });
});

const COUNT: AssignOperation = {
  type: "assign",
  kind: "inventory",
  category: "DBL",
  lane: "",
  first: FIRST,
  last: FIRST + 364,
  days: EVERY_DAY,
  group: "counts",
  replace: false,
  values: new Map([["available", 5]]),
};

test("reports a year of identical counts as one run, even if it spans several pages", () => {
  const { changes, changedNights, lastNight, pages } = new Store().receive([COUNT], 1);
  assert.deepEqual(changes, [
    { kind: "inventory", category: "DBL", lane: "", column: "available", first: FIRST, last: FIRST + 364, from: undefined, to: 5 },
  ]);
  assert.deepEqual([changedNights, lastNight], [365, FIRST + 364]);
  assert.ok(pages.length >= 365 / SPAN_DAYS);
});

test("starts a new run for the next category", () => {
  const next = { ...COUNT, category: "SGL", first: COUNT.last + 1, last: COUNT.last + 9 };
  const { changes } = new Store().receive([COUNT, next], 1);
  assert.deepEqual(
    changes.map(({ category, first, last }) => ({ category, first, last })),
    [COUNT, next].map(({ category, first, last }) => ({ category, first, last })),
  );
});

test("starts a new run when the currency changes", () => {
  const amount = "amount:after:2:10:1";
  const priced = (currency: string, first: number): AssignOperation => {
    const values = new Map<Attribute, AttributeValue>([
      ["currency", currency],
      [amount, 10_000],
    ]);
    return { ...COUNT, kind: "rate", group: "amounts", first, last: first + 1, values };
  };
  const { changes } = new Store().receive([priced("EUR", FIRST), priced("USD", FIRST + 2)], 1);
  assert.deepEqual(
    changes
      .filter(({ column }) => column === amount)
      .map(({ first, last, to, currencies }) => [first - FIRST, last - FIRST, to, currencies?.to]),
    [
      [0, 1, 10_000, "EUR"],
      [2, 3, 10_000, "USD"],
    ],
  );
});

test("limits the list of changes to 1,000 runs", () => {
  const lines = Array.from({ length: 365 }, (_, i) => ({
    ...COUNT,
    first: FIRST + i,
    last: FIRST + i,
    values: new Map<Attribute, number>([["available", i % 7]]),
  }));
  const all = ["A", "B", "C"].flatMap((category) => lines.map((line) => ({ ...line, category })));
  const { changes, changedNights } = new Store().receive(all, 1);
  assert.deepEqual([changes.length, changedNights], [1_000, 3 * 365]);
});

test("removes a page that becomes empty and restores it on undo", () => {
  const store = new Store([[COUNT]]);
  const before = store.model();
  const cleared = store.receive([{ type: "clear", kind: "inventory", groups: ["counts"], from: 0 }], 2);
  assert.ok(cleared.pages.every((page) => page.bytes === undefined));
  assert.equal(store.pages.size, 0);
  store.revert(cleared);
  assert.deepEqual(store.model(), before);
});

test("rejects a value that its column can't hold", () => {
  const faulty = [
    ["available", -1],
    ["available", 1.5],
    ["available", 2 ** 53],
    ["available", "5"],
    ["currency", 5],
  ] as const;
  for (const value of faulty)
    assert.throws(() => new Store().receive([{ ...COUNT, values: new Map<Attribute, AttributeValue>([value]) }], 1), TypeError);
  assert.throws(() => new Store().receive([{ ...COUNT, values: new Map([["nonsense" as Attribute, 1]]) }], 1), TypeError);
});

type Key = Omit<StoredPage, "bytes">;

/** Stores pages as a database would. */
class Store {
  readonly pages = new Map<string, StoredPage>();

  constructor(messagesBefore: readonly (readonly Operation[])[] = []) {
    messagesBefore.forEach((message, index) => this.receive(message, index + 1));
  }

  copy(): Store {
    const copy = new Store();
    for (const page of this.pages.values()) copy.#keep(page, page.bytes);
    return copy;
  }

  receive(message: readonly Operation[], id: number): AppliedChanges {
    const applied = applyOperations(this.pages.values(), message, id);
    for (const page of applied.pages) this.#keep(page, page.bytes);
    return applied;
  }

  /** Returns the model keys of the reverted values. */
  revert(applied: AppliedChanges): string[] {
    return applied.pages.flatMap((page) => (page.undo ? this.#revertPage(page, page.undo) : []));
  }

  model(): Model {
    const model: Model = new Map();
    for (const key of this.pages.values()) addToModel(model, key, decodePage(key.span, key.bytes));
    return model;
  }

  #revertPage(key: Key, undo: Uint8Array): string[] {
    const stored = this.pages.get(nameOf(key));
    const page = stored ? decodePage(key.span, stored.bytes) : emptyPage(key.span);
    revertPage(page, undo);
    this.#keep(key, encodePage(page));
    const { columns } = decodePage(key.span, undo);
    return [...columns].flatMap(([column, runs]) =>
      expandRuns(runs).flatMap((cell, i) =>
        cell === UNCHANGED_CELL ? [] : [`${key.kind} ${key.category} ${key.lane} ${page.first + i} ${column}`],
      ),
    );
  }

  #keep({ kind, category, lane, span }: Key, bytes: Uint8Array | undefined): void {
    const name = nameOf({ kind, category, lane, span });
    if (bytes) this.pages.set(name, { kind, category, lane, span, bytes });
    else this.pages.delete(name);
  }
}

function nameOf({ kind, category, lane, span }: Key): string {
  return `${kind} ${category} ${lane} ${span}`;
}

function addToModel(model: Model, { kind, category, lane }: Key, page: Page): void {
  for (const [column, runs] of page.columns) {
    expandRuns(runs).forEach((cell, i) =>
      put(model, `${kind} ${category} ${lane} ${page.first + i} ${column}`, fromCell(page, column, cell)),
    );
  }
}

function put(model: Model, key: string, value: AttributeValue | undefined): void {
  if (value === undefined) model.delete(key);
  else model.set(key, value);
}

function withoutSetters(model: Model): Model {
  return new Map([...model].filter(([key]) => !key.includes("setter:")));
}

/** `replaced` contains the nights and groups whose previous values were cleared by the message. */
type MessageState = { message: number; replaced: Set<string> };

function applyToModel(model: Model, operation: Operation, { message, replaced }: MessageState): void {
  if (operation.type === "clear") return clearModel(model, operation);
  const { kind, category, lane, group, values, replace } = operation;
  for (const night of nightsOf(operation)) {
    const at = `${kind} ${category} ${lane} ${night}`;
    const isAlreadyReplaced = replace === "older" && replaced.has(`${at} ${group}`);
    if (replace === "older") replaced.add(`${at} ${group}`);
    if (group === "amounts") clearOtherBasis(model, at, values);
    if (replace && !isAlreadyReplaced) clearGroup(model, at, group);
    for (const [column, value] of values) put(model, `${at} ${column}`, value);
    model.set(`${at} ${setterName(group)}`, message);
    const reopensHotel = lane === "" && values.get("available") !== undefined;
    if (reopensHotel) for (const column of ["closed", setterName("closed")]) model.delete(`${at} ${column}`);
  }
}

function clearOtherBasis(model: Model, at: string, values: ReadonlyMap<string, AttributeValue | undefined>): void {
  const [currency, perPerson] = [values.get("currency"), values.get("perPerson")];
  const hasOtherCurrency = currency !== undefined && (model.get(`${at} currency`) ?? currency) !== currency;
  const hasOtherBasis = perPerson !== undefined && (model.get(`${at} perPerson`) ?? 0) !== perPerson;
  for (const column of SAMPLE_COLUMNS) {
    const isStale = column.startsWith("amount:") ? hasOtherCurrency || hasOtherBasis : column === "extras" && hasOtherCurrency;
    if (isStale) model.delete(`${at} ${column}`);
  }
}

function clearModel(model: Model, { kind, category, lane, from, to = Number.POSITIVE_INFINITY, groups }: ClearOperation): void {
  for (const key of [...model.keys()]) {
    const [k, c, l, night, column] = key.split(" ") as [PageKind, string, string, string, Attribute];
    const isCleared = k === kind && (category ?? c) === c && (lane ?? l) === l && Number(night) >= from && Number(night) <= to;
    if (isCleared && groups.some((group) => findGroup(column) === group || setterName(group) === column)) model.delete(key);
  }
}

function clearGroup(model: Model, at: string, group: Group): void {
  for (const column of SAMPLE_COLUMNS) if (findGroup(column) === group) model.delete(`${at} ${column}`);
}

function singleNights(operation: Operation): Operation[] {
  if (operation.type === "clear") return [operation];
  return nightsOf(operation).map((night) => ({ ...operation, first: night, last: night }));
}

function nightsOf({ first, last, days }: AssignOperation): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((night) => days & weekdayBit(night));
}
