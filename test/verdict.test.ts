import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatNight, parseNight } from "../src/calendar/night.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
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
} from "./support/hotel.ts";

const DAY_MS = 86_400_000;
const NIGHTS = 28;
const CATEGORIES = 18;
const PLANS = 20;

/** Values of one night. Undefined was not sent. */
type CategoryNight = { count: number | undefined; isInSeason: boolean; stopSell: boolean | undefined };
type PlanNight = { price: boolean; allotment: number | undefined; stopSell: boolean | undefined };

/** A small generator with a fixed seed, so that a failure can be repeated. */
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

type Facts = { active: boolean; assumeOpen: boolean; past: boolean; category: CategoryNight; plan: PlanNight };

/** Obvious on purpose: a night is for sale if nothing speaks against it. */
function isForSale({ active, assumeOpen, past, category, plan }: Facts): boolean {
  const isClosed = category.isInSeason && category.count === undefined;
  const isStopped = category.stopSell === true || plan.stopSell === true;
  const isOpened = assumeOpen || category.stopSell === false || plan.stopSell === false;
  const hasRooms = category.count === undefined ? plan.allotment !== undefined : category.count > 0;
  return active && !past && !isClosed && !isStopped && isOpened && hasRooms && plan.allotment !== 0 && plan.price;
}

type Hotel = readonly {
  code: string;
  active: boolean;
  nights: readonly CategoryNight[];
  plans: readonly { code: string; nights: readonly PlanNight[] }[];
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
      nights: range(NIGHTS).map(() => ({
        price: pick(true, true, true, false),
        allotment: pick(undefined, undefined, 0, 2),
        stopSell: pick(undefined, undefined, true, false),
      })),
    })),
  }));
}

const statusOf = (stopSell: boolean) => `<RestrictionStatus Status="${stopSell ? "Close" : "Open"}"/>`;

/** Closing seasons come first, because a later count reopens its category. */
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

type RatesJson = {
  categories: {
    code: string;
    plans: { code: string; nights: { night: string; sellable: boolean; sale: string; reasons: { state: string }[] }[] }[];
  }[];
};

async function compareAll(service: TestApp, hotel: Hotel, { assumeOpen, past }: { assumeOpen: boolean; past: number }): Promise<void> {
  const url = `/rates?property=ALP&from=${TODAY}&days=28`;
  const { categories } = (await service.inject(`${url}&format=json`)).json<RatesJson>();
  const csv = (await service.inject(`${url}&format=csv`)).body.split("\r\n").slice(1);
  const ofCsv = new Map(
    csv
      .map((line) => line.split(","))
      .map(([, category, plan, night, sellable, sale]) => [`${category}/${plan}/${night}`, { sellable, sale }]),
  );
  const page = (await service.inject(url)).body;
  const differences: string[] = [];
  let compared = 0;
  for (const { code, active, nights, plan } of hotel.flatMap(({ plans, ...one }) => plans.map((ofPlan) => ({ ...one, plan: ofPlan })))) {
    const shown = categories.find((one) => one.code === code)!.plans.find((one) => one.code === plan.code)!.nights;
    for (const [night, values] of plan.nights.entries()) {
      const expected = isForSale({ active, assumeOpen, past: night < past, category: nights[night]!, plan: values });
      const { sellable, sale, reasons } = shown[night]!;
      const name = `${code}/${plan.code}/${dateOf(night)}`;
      const line = ofCsv.get(name)!;
      const found = [sellable, line.sellable, line.sale, reasons[0]?.state ?? "sellable"].join();
      if (found !== [expected, expected, sale, sale].join())
        differences.push(`${name}: ${found}, ${JSON.stringify({ ...nights[night], ...values })}`);
      compared++;
    }
  }
  assert.ok(compared >= 10_000, `${compared} nights`);
  assert.deepEqual(differences.slice(0, 5), []);
  await compareDrawers(service, categories);
  assert.equal(
    sellableCells(page),
    categories
      .flatMap((one) => one.plans)
      .flatMap((one) => one.nights)
      .filter(({ sellable }) => sellable).length,
  );
}

/** A cell of the grid has a class for every state but this one. */
function sellableCells(page: string): number {
  const table = /<table class="grid[^]*?<\/table>/.exec(page)![0];
  const cells = [...table.matchAll(/<td(?: class="([^"]*)")?>/g)].map(([, classes = ""]) => classes.split(" "));
  return cells.filter((classes) => !classes.some((name) => ["open", "closed", "zero", "gap"].includes(name))).length;
}

/** Compares one night of each plan, because each drawer is a separate page. */
async function compareDrawers(service: TestApp, categories: RatesJson["categories"]): Promise<void> {
  for (const { code, plans } of categories.slice(0, 1))
    for (const [index, plan] of plans.filter(({ code: name }) => name !== "").entries()) {
      const { night, sellable } = plan.nights[index % NIGHTS]!;
      const text = textOf(await service.inject(`/rates?property=ALP&from=${TODAY}&at=ALP/${code}/${plan.code}/${night}`));
      const said = / (For sale\.|Not for sale:)/.exec(text)?.[1];
      if (said !== undefined) assert.equal(said, sellable ? "For sale." : "Not for sale:", `${code}/${plan.code}/${night}`);
    }
}

eachEngine("whether a night is for sale", (open) => {
  test("agrees with an independent rule in the grid, JSON, CSV and drawer, for 10,000 random nights", { timeout: 120_000 }, async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const hotel = makeNights(20_261_120);
    for (const { code } of hotel) await makeCategory(service, { hotelCode: "ALP", code, name: code, rooms: "9", standardOccupancy: "2" });
    await sendNights(service, hotel);
    await editRecord(service, "/category/ALP/C3/edit", { status: "inactive" });
    await compareAll(service, hotel, { assumeOpen: true, past: 0 });
    await editRecord(service, "/property/ALP/edit", { assumeOpen: "" });
    service.clock.set(service.clock.now() + 3 * DAY_MS);
    await compareAll(service, hotel, { assumeOpen: false, past: 3 });
  });
});

describe("a category under stop sell", () => {
  async function closeTonight(): Promise<TestApp> {
    const service = await startApp();
    await makeHotel(service);
    await postMessage(service, countMessage({ control: `${on(0)} InvTypeCode="DBL"`, counts: [[2, 5]] }));
    await postMessage(service, availMessage({ control: `${on(0)} InvTypeCode="DBL"`, content: statusOf(true) }));
    return service;
  }

  test("is closed in the inventories grid, found by the filter, and has no free rooms", async () => {
    await using service = await closeTonight();
    const grid = (await service.inject("/inventories?property=ALP&days=7")).body;
    assert.match(grid, new RegExp(`<td class="closed[^"]*"><a href="[^"]*at=ALP/DBL//${TODAY}"[^>]*>[^]*?STOPPED`));
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
    const overview = (await service.inject("/inventories?format=json")).json<{ properties: { nights: { available?: number }[] }[] }>();
    assert.equal(overview.properties[0]!.nights[0]!.available, 0);
    assert.match(textOf(await service.inject("/category/ALP/DBL/edit")), /Today 5 closed/);
  });

  test("is explained in the drawer, with the message that closed it", async () => {
    await using service = await closeTonight();
    const drawer = textOf(await service.inject(`/inventories?property=ALP&at=ALP/DBL//${TODAY}`));
    assert.match(drawer, /Not for sale: stop sell on category DBL since 2026-11-20 09:00:00 .*, message 2 from pms\./);
    assert.match(drawer, /message 2 from pms, [^·]* · View grid before this change Whole category, stop sell: from nothing to yes/);
  });
});

test("says that a price was removed instead of never received", async () => {
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
