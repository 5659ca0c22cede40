import { setterColumn } from "./column.ts";
import type { Night } from "./night.ts";
import { type AmountKey, type Column, type Group, parseAmountColumn } from "./operation.ts";
import { type Cells, NOTHING, type Page, SPAN_DAYS } from "./page.ts";

/** The pages of one category and lane, by span. */
export type Pages = ReadonlyMap<number, Page>;

/** The messages that last set each group; a group without one was never set. */
export type Setters = Partial<Record<Group, number>>;

/** What is known of a night's counts; `undefined` is nothing received. */
export type InventoryNight = {
  night: Night;
  available: number | undefined;
  physical: number | undefined;
  outOfOrder: number | undefined;
  offMarket: number | undefined;
  /** Rooms above it are only on request. */
  threshold: number | undefined;
  /** `available` was computed from other counts. */
  derived: boolean;
  /** The hotel is closed. */
  closed: boolean;
  setters: Setters;
};

/** What is known of a night's rates; `undefined` is nothing received. */
export type RateNight = {
  night: Night;
  /** In minor units of `currency`; by tax, guests, age and nights. */
  amounts: { key: AmountKey; minor: number }[];
  currency: string | undefined;
  mealPlan: string | undefined;
  perPerson: boolean | undefined;
  /** JSON: the additional guest amounts as they were sent. */
  extras: string | undefined;
  stopSell: boolean | undefined;
  closedToArrival: boolean | undefined;
  closedToDeparture: boolean | undefined;
  minStayArrival: number | undefined;
  maxStayArrival: number | undefined;
  minStayThrough: number | undefined;
  maxStayThrough: number | undefined;
  minAdvance: number | undefined;
  maxAdvance: number | undefined;
  pattern: string | undefined;
  allotment: number | undefined;
  setters: Setters;
};

/** The nights from `first` to `last`, both included, one record each. */
export function inventoryNights(pages: Pages, first: Night, last: Night): InventoryNight[] {
  return eachNight(pages, { first, last }, inventoryReader);
}

/** The nights from `first` to `last`, both included, one record each. */
export function rateNights(pages: Pages, first: Night, last: Night): RateNight[] {
  return eachNight(pages, { first, last }, rateReader);
}

type Reader<T> = (night: Night, index: number) => T;

/** A reader looks its columns up once a page, not once a night. */
function eachNight<T>(pages: Pages, { first, last }: { first: Night; last: Night }, readerOf: (page: Page | undefined) => Reader<T>): T[] {
  const records: T[] = [];
  for (let night = first; night <= last;) {
    const span = Math.floor(night / SPAN_DAYS);
    const start = span * SPAN_DAYS;
    const read = readerOf(pages.get(span));
    for (const end = Math.min(last, start + SPAN_DAYS - 1); night <= end; night++) records.push(read(night, night - start));
  }
  return records;
}

function inventoryReader(page: Page | undefined): Reader<InventoryNight> {
  const available = numbers(page, "available");
  const physical = numbers(page, "physical");
  const outOfOrder = numbers(page, "outOfOrder");
  const offMarket = numbers(page, "offMarket");
  const threshold = numbers(page, "threshold");
  const derived = flags(page, "derived");
  const closed = flags(page, "closed");
  const setters = settersOf(page, ["counts", "closed"]);
  return (night, i) => ({
    night,
    available: available(i),
    physical: physical(i),
    outOfOrder: outOfOrder(i),
    offMarket: offMarket(i),
    threshold: threshold(i),
    derived: derived(i) ?? false,
    closed: closed(i) ?? false,
    setters: setters(i),
  });
}

function rateReader(page: Page | undefined): Reader<RateNight> {
  const amounts = amountsOf(page);
  const about = amountTermsReader(page);
  const restrictions = restrictionsReader(page);
  const allotment = numbers(page, "allotment");
  const setters = settersOf(page, ["amounts", "restrictions", "allotment"]);
  return (night, i) => ({ night, amounts: amounts(i), ...about(i), ...restrictions(i), allotment: allotment(i), setters: setters(i) });
}

function amountTermsReader(page: Page | undefined) {
  const currency = texts(page, "currency");
  const mealPlan = texts(page, "mealPlan");
  const perPerson = flags(page, "perPerson");
  const extras = texts(page, "extras");
  return (i: number) => ({ currency: currency(i), mealPlan: mealPlan(i), perPerson: perPerson(i), extras: extras(i) });
}

function restrictionsReader(page: Page | undefined) {
  const stopSell = flags(page, "stopSell");
  const closedToArrival = flags(page, "closedToArrival");
  const closedToDeparture = flags(page, "closedToDeparture");
  const minStayArrival = numbers(page, "minStayArrival");
  const maxStayArrival = numbers(page, "maxStayArrival");
  const minStayThrough = numbers(page, "minStayThrough");
  const maxStayThrough = numbers(page, "maxStayThrough");
  const minAdvance = numbers(page, "minAdvance");
  const maxAdvance = numbers(page, "maxAdvance");
  const pattern = texts(page, "pattern");
  return (i: number) => ({
    stopSell: stopSell(i),
    closedToArrival: closedToArrival(i),
    closedToDeparture: closedToDeparture(i),
    minStayArrival: minStayArrival(i),
    maxStayArrival: maxStayArrival(i),
    minStayThrough: minStayThrough(i),
    maxStayThrough: maxStayThrough(i),
    minAdvance: minAdvance(i),
    maxAdvance: maxAdvance(i),
    pattern: pattern(i),
  });
}

function numbers(page: Page | undefined, column: Column): (index: number) => number | undefined {
  const cells = page?.columns.get(column);
  return cells ? (i) => known(cells, i) : nothingReceived;
}

function flags(page: Page | undefined, column: Column): (index: number) => boolean | undefined {
  const cells = page?.columns.get(column);
  return cells ? (i) => (cells[i] === NOTHING ? undefined : cells[i] === 1) : nothingReceived;
}

function texts(page: Page | undefined, column: Column): (index: number) => string | undefined {
  const cells = page?.columns.get(column);
  return page && cells ? (i) => page.texts[cells[i]!] : nothingReceived;
}

function nothingReceived(): undefined {
  return undefined;
}

function known(cells: Cells, index: number): number | undefined {
  return cells[index] === NOTHING ? undefined : cells[index];
}

function amountsOf(page: Page | undefined): (index: number) => RateNight["amounts"] {
  const columns: { key: AmountKey; cells: Cells }[] = [];
  for (const [column, cells] of page?.columns ?? []) {
    const key = parseAmountColumn(column);
    if (key) columns.push({ key, cells });
  }
  return (i) => columns.filter(({ cells }) => cells[i] !== NOTHING).map(({ key, cells }) => ({ key, minor: cells[i]! }));
}

function settersOf(page: Page | undefined, groups: readonly Group[]): (index: number) => Setters {
  const columns = groups.map((group) => [group, page?.columns.get(setterColumn(group))] as const);
  return (i) => {
    const setters: Setters = {};
    for (const [group, cells] of columns) if (cells && cells[i] !== NOTHING) setters[group] = cells[i]!;
    return setters;
  };
}
