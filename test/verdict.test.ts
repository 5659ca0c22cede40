import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatNight, parseNight } from "../src/calendar/night.ts";
import { startApp, type TestApp } from "./support/app.ts";
import {
  availMessage,
  countMessage,
  editRecord,
  makeCategory,
  makeHotel,
  postMessage,
  rateMessage,
  textOf,
  TODAY,
  summarise,
} from "./support/hotel.ts";

const DAY_MS = 86_400_000;
const NIGHTS = 28;
const CATEGORIES = 18;
const PLANS = 20;
const RETIRED = 1;

/** Values of one night, undefined if not sent. */
type CategoryNight = { count: number | undefined; isInSeason: boolean; stopSell: boolean | undefined };
type PlanNight = { price: boolean; allotment: number | undefined; stopSell: boolean | undefined };

/** A small pseudo-random generator with a fixed seed, so that failures are reproducible. */
function generator(seed: number): <T>(...choices: readonly T[]) => T {
  let state = seed;
  return (...choices) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)]!;
  };
}

const dateOf = (night: number) => formatNight(parseNight(TODAY)! + night);
const on = (night: number) => `Start="${dateOf(night)}" End="${dateOf(night)}"`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

type Facts = { active: boolean; assumeOpen: boolean; past: boolean; beyond: boolean; category: CategoryNight };

/** Deliberately simple: a night is for sale if every condition is met. */
function isForSale({ active, assumeOpen, past, beyond, category }: Facts, plan: PlanNight): boolean {
  const isClosed = category.isInSeason && category.count === undefined;
  const isStopped = category.stopSell === true || plan.stopSell === true;
  const isOpened = assumeOpen || category.stopSell === false || plan.stopSell === false;
  const hasRooms = category.count === undefined ? plan.allotment !== undefined : category.count > 0;
  return active && !past && !beyond && !isClosed && !isStopped && isOpened && hasRooms && plan.allotment !== 0 && plan.price;
}

/** Leaves out what only plans have: a price, an allotment and the need for an open status. */
function hasRoomsForSale(facts: Facts): boolean {
  return isForSale({ ...facts, assumeOpen: true }, { price: true, allotment: undefined, stopSell: undefined });
}

type Hotel = readonly {
  code: string;
  active: boolean;
  nights: readonly CategoryNight[];
  plans: readonly { code: string; retired: boolean; nights: readonly PlanNight[] }[];
}[];

function makeNights(seed: number): Hotel {
  const pick = generator(seed);
  const seasons = range(NIGHTS).map(() => pick(true, false, false, false));
  return range(CATEGORIES).map((index) => ({
    code: `C${index}`,
    active: index !== 3,
    nights: seasons.map((isInSeason) => ({
      isInSeason,
      count: pick(undefined, 0, 4, 4),
      stopSell: pick(undefined, undefined, true, false),
    })),
    plans: range(PLANS).map((plan) => ({
      code: `P${plan}`,
      retired: plan === RETIRED,
      nights: range(NIGHTS).map(() => ({
        price: pick(true, true, true, false),
        allotment: pick(undefined, undefined, 0, 2),
        stopSell: pick(undefined, undefined, true, false),
      })),
    })),
  }));
}

const statusOf = (stopSell: boolean) => `<RestrictionStatus Status="${stopSell ? "Close" : "Open"}"/>`;

/** Sends closing seasons first, because a later count reopens its category. */
async function sendNights(service: TestApp, hotel: Hotel): Promise<void> {
  const seasons = range(NIGHTS).filter((night) => hotel[0]!.nights[night]!.isInSeason);
  const counts = hotel.flatMap(({ code, nights, plans }) => {
    const lines = (plan: string, values: readonly (number | undefined)[]) =>
      values.flatMap((count, night) =>
        count === undefined ? [] : [{ control: `${on(night)} InvTypeCode="${code}"${plan}`, counts: [[2, count]] as const }],
      );
    const ofPlans = plans.flatMap((plan) =>
      lines(
        ` RatePlanCode="${plan.code}"`,
        plan.nights.map(({ allotment }) => allotment),
      ),
    );
    return [
      ...lines(
        "",
        nights.map(({ count }) => count),
      ),
      ...ofPlans,
    ];
  });
  await postMessage(service, countMessage(...seasons.map((night) => ({ control: `${on(night)} AllInvCode="true"` }))));
  await postMessage(service, countMessage(...counts));
  const limits = hotel.flatMap(({ code, nights, plans }) => {
    const lines = (plan: string, values: readonly { stopSell: boolean | undefined }[]) =>
      values.flatMap(({ stopSell }, night) =>
        stopSell === undefined ? [] : [{ control: `${on(night)} InvTypeCode="${code}"${plan}`, content: statusOf(stopSell) }],
      );
    return [...lines("", nights), ...plans.flatMap((plan) => lines(` RatePlanCode="${plan.code}"`, plan.nights))];
  });
  await postMessage(service, availMessage(...limits));
  const rates = hotel.flatMap(({ code, plans }) =>
    plans.flatMap((plan) =>
      plan.nights.flatMap(({ price }, night) =>
        price
          ? [
              {
                control: `${on(night)} InvTypeCode="${code}" RatePlanCode="${plan.code}"`,
                amounts: ['NumberOfGuests="2" AmountAfterTax="90"'],
              },
            ]
          : [],
      ),
    ),
  );
  await postMessage(service, rateMessage(...rates));
}

type NightJson = { night: string; sellable: boolean; sale: string; reasons: { state: string; message?: number }[] };
type RowJson = { code?: string; plan?: string; nights: NightJson[] };
type GridJson = { categories: (RowJson & { plans?: RowJson[]; allotments?: RowJson[] })[] };

/** What a grid shows for each night, keyed by `category/plan/night`. The plan is empty in a category's own row. */
type Shown = Map<string, { json: NightJson; csv: { sellable: string; sale: string; message: string }; url: string; classes: string[] }>;

/** Returns the `category/plan/night` that a link names in `at` or in separate parameters. */
function nameOf(url: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  return query.get("at")?.slice("ALP/".length) ?? ["nightCategory", "nightPlan", "night"].map((name) => query.get(name)).join("/");
}

async function readGrid(service: TestApp, grid: "rates" | "inventories"): Promise<Shown> {
  const url = `/${grid}?property=ALP&from=${TODAY}&days=28`;
  const { categories } = (await service.inject(`${url}&format=json`)).json<GridJson>();
  const [head, ...lines] = (await service.inject(`${url}&format=csv`)).body.split("\r\n").map((line) => line.split(","));
  const cellOf = (line: readonly string[], name: string) => line[head!.findIndex((one) => one.replace("\ufeff", "") === name)]!;
  const csv = new Map(lines.map((line) => [["category", "plan", "night"].map((name) => cellOf(line, name)).join("/"), line]));
  const page = (await service.inject(url)).body;
  const table = /<table class="grid[^]*?<\/table>/.exec(page)![0];
  const cells = new Map(
    [...table.matchAll(/<td(?: class="([^"]*)")?><a href="([^"]*)"/g)].map(([, classes = "", href]) => {
      const cell = { url: `/${grid}${href!.replaceAll("&amp;", "&")}&part=night`, classes: classes.split(" ") };
      return [nameOf(cell.url), cell];
    }),
  );
  const shown: Shown = new Map();
  for (const { code, nights: own = [], plans = [], allotments = [] } of categories) {
    const rows = [{ plan: "", nights: own }, ...plans, ...allotments].map((row) => ({
      ...row,
      plan: row.plan ?? ("code" in row ? row.code : ""),
    }));
    for (const { plan, nights } of rows)
      for (const json of nights) {
        const name = `${code}/${plan}/${json.night}`;
        const line = csv.get(name)!;
        const [sellable, sale, message] = ["sellable", "sale", "saleMessage"].map((column) => cellOf(line, column));
        shown.set(name, { json, csv: { sellable: sellable!, sale: sale!, message: message! }, ...cells.get(name)! });
      }
  }
  return shown;
}

type Moment = { assumeOpen: boolean; past: number; bookable: number };

type Expected = { grid: "rates" | "inventories"; name: string; sellable: boolean };

/** Returns what the independent rule expects for each night of each row. */
function expectedOf(hotel: Hotel, { assumeOpen, past, bookable }: Moment): Expected[] {
  const nights = hotel.flatMap(({ code, active, plans, nights: all }) =>
    all.map((category, night) => {
      const facts = { active, assumeOpen, category, past: night < past, beyond: night >= bookable };
      return { code, night, facts, plans: plans.map((plan) => ({ ...plan, values: plan.nights[night]! })) };
    }),
  );
  return nights.flatMap(({ code, night, facts, plans }): Expected[] => [
    { grid: "inventories", name: `${code}//${dateOf(night)}`, sellable: hasRoomsForSale(facts) },
    ...plans.flatMap(({ code: plan, retired, values }): Expected[] => {
      const own = { ...facts, active: facts.active && !retired };
      const name = `${code}/${plan}/${dateOf(night)}`;
      const rates = { grid: "rates", name, sellable: isForSale(own, values) } as const;
      if (values.allotment === undefined) return [rates];
      return [rates, { grid: "inventories", name, sellable: isForSale(own, { ...values, price: true }) }];
    }),
  ]);
}

/** Compares each night with the independent rule, and the grid's formats with each other. */
async function compareAll(service: TestApp, hotel: Hotel, moment: Moment): Promise<void> {
  const shown = { rates: await readGrid(service, "rates"), inventories: await readGrid(service, "inventories") };
  const differences: string[] = [];
  const drawers = new Map<string, { url: string; sellable: boolean; reasons: number }>();
  const all = expectedOf(hotel, moment);
  for (const { grid, name, sellable } of all) {
    const { json, csv, url, classes } = shown[grid].get(name)!;
    const sale = json.reasons[0]?.state ?? "sellable";
    const found = [json.sellable, json.sale, csv.sellable, csv.sale, csv.message, isSellableCell(grid, sale, classes)].join();
    const wanted = [sellable, sale, sellable, sale, json.reasons[0]?.message ?? "", sellable].join();
    if (found !== wanted || sellable !== (sale === "sellable")) differences.push(`${grid} ${name}: ${found}`);
    drawers.set(`${grid} ${json.reasons.map(({ state }) => state).join()}`, { url, sellable, reasons: json.reasons.length });
  }
  assert.ok(all.filter(({ grid }) => grid === "rates").length >= 10_000);
  assert.deepEqual(differences.slice(0, 5), []);
  await compareDrawers(service, [...drawers.values()]);
  await comparePortfolio(service, hotel, moment);
}

type PortfolioNight = { night: string; available?: number; price?: string; problems?: string[] };

/** Number of categories without messages. A closing season closes them too. */
const UNTOUCHED = 2;

async function comparePortfolio(service: TestApp, hotel: Hotel, moment: Moment): Promise<void> {
  await summarise(service);
  const { properties } = (await service.inject(`/rates?format=json&from=${TODAY}&days=28`)).json<{
    properties: { nights: PortfolioNight[] }[];
  }>();
  const expected = range(NIGHTS).map((night) => portfolioNight(hotel, night, moment));
  assert.deepEqual(properties[0]!.nights, expected);
}

function portfolioNight(hotel: Hotel, night: number, { assumeOpen, past, bookable }: Moment): PortfolioNight {
  const isSeason = hotel[0]!.nights[night]!.isInSeason;
  const active = [
    ...hotel
      .filter(({ active: isActive }) => isActive)
      .map(({ nights, plans }) => ({
        ...nights[night]!,
        plans: plans.filter(({ retired }) => !retired).map((plan) => plan.nights[night]!),
      })),
    ...range(UNTOUCHED).map(() => ({ count: undefined, isInSeason: isSeason, stopSell: undefined, plans: [] })),
  ];
  const isOpen = night >= past && night < bookable;
  const closed = active.map(({ isInSeason, count, stopSell }) => (isInSeason && count === undefined) || stopSell === true);
  const rooms = active.flatMap(({ count }, index) => (closed[index] ? [0] : (count ?? [])));
  const facts = (category: CategoryNight) => ({ active: true, assumeOpen, past: !isOpen, beyond: false, category });
  const isSold = active.some((category) => category.plans.some((plan) => isForSale(facts(category), plan)));
  const isPlanClosed = ({ stopSell }: PlanNight, of: CategoryNight) =>
    stopSell === true || (!assumeOpen && stopSell === undefined && of.stopSell === undefined);
  const hasNoPlan = (plans: readonly PlanNight[]) => plans.length === 0;
  const problems = {
    closed: closed.every(Boolean),
    "stop sell": active.some(
      (category, index) =>
        closed[index] || (hasNoPlan(category.plans) ? !assumeOpen : category.plans.some((plan) => isPlanClosed(plan, category))),
    ),
    "sold out": active.some(({ count }) => count === 0),
    "no price": active.some(({ plans }, index) => !closed[index] && !plans.some(({ price }) => price)),
    "no count": active.some(({ count }) => count === undefined),
  };
  const names = Object.entries(problems).flatMap(([name, has]) => (has && isOpen ? [name] : []));
  return {
    night: dateOf(night),
    ...(rooms.length > 0 && { available: rooms.reduce((sum, count) => sum + count, 0) }),
    ...(isSold && { price: "90.00", currency: "EUR" }),
    ...(names.length > 0 && { problems: names }),
  };
}

/** In the rates, only sellable nights have no state class. In the inventories they are `open`, but so are past and distant nights. */
function isSellableCell(grid: string, sale: string, classes: readonly string[]): boolean {
  const state = classes.find((name) => ["open", "closed", "zero", "gap"].includes(name));
  if (grid === "rates") return state === undefined;
  return state === "open" && !["past", "beyond horizon"].includes(sale);
}

/** Checks the drawer of one night for each combination of reasons. */
async function compareDrawers(service: TestApp, drawers: readonly { url: string; sellable: boolean; reasons: number }[]): Promise<void> {
  assert.ok(drawers.length > 50, `${drawers.length} combinations of reasons`);
  for (const { url, sellable, reasons } of drawers) {
    const [, sentence = ""] = /<p class="verdict">([^]*?)<\/p>/.exec((await service.inject(url)).body) ?? [];
    assert.match(sentence, sellable ? /<b>For sale\.<\/b>/ : /<b>Not for sale:<\/b>/, url);
    assert.equal(sellable ? 0 : sentence.split(";").length, reasons, `${url}: ${sentence}`);
  }
}

test(
  "grids, JSON, CSV, drawers and the portfolio agree with an independent rule on 10,000 random nights",
  { timeout: 240_000 },
  async () => {
    await using service = await startApp();
    await makeHotel(service);
    const hotel = makeNights(20_261_120);
    for (const { code } of hotel) await makeCategory(service, { hotelCode: "ALP", code, name: code, rooms: "9", standardOccupancy: "2" });
    await sendNights(service, hotel);
    await editRecord(service, "/category/ALP/C3/edit", { status: "inactive" });
    await editRecord(service, `/tools/plans?property=ALP&plan=P${RETIRED}`, { action: "retire" });
    await compareAll(service, hotel, { assumeOpen: true, past: 0, bookable: NIGHTS });
    await editRecord(service, "/property/ALP/edit", { assumeOpen: "", horizonDays: "100" });
    service.clock.set(service.clock.now() + 3 * DAY_MS);
    await compareAll(service, hotel, { assumeOpen: false, past: 3, bookable: NIGHTS });
    service.clock.set(service.clock.now() - 83 * DAY_MS);
    await compareAll(service, hotel, { assumeOpen: false, past: 0, bookable: 21 });
  },
);

describe("a category on stop sell", () => {
  async function closeTonight(): Promise<TestApp> {
    const service = await startApp();
    await makeHotel(service);
    await postMessage(service, countMessage({ control: `${on(0)} InvTypeCode="DBL"`, counts: [[2, 5]] }));
    await postMessage(service, availMessage({ control: `${on(0)} InvTypeCode="DBL"`, content: statusOf(true) }));
    return service;
  }

  test("a category on stop sell is closed in the inventories grid, found by the filter, and has no free rooms", async () => {
    await using service = await closeTonight();
    const grid = (await service.inject("/inventories?property=ALP&days=7")).body;
    assert.match(grid, new RegExp(`<td class="closed[^"]*"><a href="[^"]*at=ALP/DBL//${TODAY}"[^>]*><b>5</b> <i>Closed</i>`));
    assert.match((await service.inject("/inventories?property=ALP&only=closed")).body, /at=ALP\/DBL\//);
    const { categories } = (await service.inject("/inventories?property=ALP&format=json")).json<{
      categories: { code: string; nights: object[] }[];
    }>();
    const [tonight] = categories.find(({ code }) => code === "DBL")!.nights;
    assert.deepEqual(
      { ...tonight },
      {
        ...{ night: TODAY, available: 5, closed: false, derived: false, stopSell: true, message: 1, stopSellMessage: 2 },
        ...{ sellable: false, sale: "stop sell", reasons: [{ state: "stop sell", of: "category", message: 2 }] },
      },
    );
    await summarise(service);
    const overview = (await service.inject("/inventories?format=json")).json<{ properties: { nights: { available?: number }[] }[] }>();
    assert.equal(overview.properties[0]!.nights[0]!.available, 0);
    assert.match(textOf(await service.inject("/category/ALP/DBL/edit")), /Today 5 closed/);
  });

  test("a category on stop sell is explained in the drawer, with the message that closed it", async () => {
    await using service = await closeTonight();
    const drawer = textOf(await service.inject(`/inventories?property=ALP&at=ALP/DBL//${TODAY}`));
    assert.match(drawer, /Not for sale: stop sell on category DBL since 2026-11-20 09:00:00 .*, message 2 from pms\./);
    assert.match(
      drawer,
      /message 2 from pms, [^·]* · View grid before this change · Compare Whole category, stop sell: from nothing to yes/,
    );
  });
});

test("says that a price was removed rather than never received", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const control = `${on(0)} InvTypeCode="DBL" RatePlanCode="BAR"`;
  await postMessage(service, countMessage({ control: `${on(0)} InvTypeCode="DBL"`, counts: [[2, 5]] }));
  await postMessage(service, rateMessage({ control, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
  const removal = '<RatePlans HotelCode="ALP"><RatePlan RatePlanCode="BAR" RatePlanNotifType="Remove"/></RatePlans>';
  await postMessage(
    service,
    `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${removal}</OTA_HotelRatePlanNotifRQ>`,
  );
  await postMessage(service, availMessage({ control, content: statusOf(false) }));
  const drawer = textOf(await service.inject(`/rates?property=ALP&at=ALP/DBL/BAR/${TODAY}`));
  assert.match(drawer, /Not for sale: the price was removed on 2026-11-20 09:00:00 .*, message 3 from pms\./);
});
