import { formatNight, type Night, parseNight } from "../../../src/calendar/night.ts";
import { wrapRequest } from "../../../src/modules/channel/example.ts";
import { type Channel, day } from "../channel.ts";
import { randomOf, type Random } from "./random.ts";

export type NarrowOptions = { pairs: number; seed: number };

/** A pair of messages that violates the rule of `narrowLines`. */
export type NarrowFinding = { problem: string; plain: string; narrowed: string; answer: string };

/** A line with its own range of nights. `category` and `plan` are undefined if the line doesn't name them. */
type Line = { first: Night; last: Night; category: string | undefined; plan: string | undefined };

/** `leaves` returns which of its nights the line still applies to: all, none, or those in a mask of weekdays. */
type Limit = { attribute: string; child?: string; leaves(line: Line): "all" | "none" | number };

const MESSAGES = [
  "OTA_HotelInvCountNotifRQ",
  "OTA_HotelAvailNotifRQ",
  "OTA_HotelBookingRuleNotifRQ",
  "OTA_HotelRateAmountNotifRQ",
] as const;
type Root = (typeof MESSAGES)[number];

/**
 * Sends random messages to an empty property, then again with a random limit on one line. The narrowed message must not change any night
 * that the first message doesn't change. The limited line may change only the nights that its limit leaves.
 */
export async function narrowLines(channel: Channel, { pairs, seed }: NarrowOptions): Promise<NarrowFinding[]> {
  const random = randomOf(seed);
  const { code } = await channel.hotel();
  const findings: NarrowFinding[] = [];
  for (let pair = 0; pair < pairs && findings.length < 10; pair++) {
    const root = random.pick(MESSAGES);
    const lines = Array.from({ length: 1 + random.below(4) }, (_, index) => lineOf(random, { root, index }));
    const target = random.below(lines.length);
    const limit = random.pick(LIMITS);
    const plain = messageOf(
      root,
      code,
      lines.map((line) => writeLine(root, line)),
    );
    const narrowed = messageOf(
      root,
      code,
      lines.map((line, index) => writeLine(root, line, index === target ? limit : undefined)),
    );
    const [before, after] = [await send(channel, plain), await send(channel, narrowed)];
    const problem = problemOf({ before, after, line: lines[target]!, limit });
    if (problem) findings.push({ problem, plain, narrowed, answer: after.text });
  }
  return findings;
}

function lineOf(random: Random, { root, index }: { root: Root; index: number }): Line {
  const first = parseNight(day(1 + 20 * index))!;
  const [category, plan] = [random.pick(["DBL", "SGL", undefined]), random.pick(["BAR", "FLEX", undefined])];
  // A count always has a category.
  return { first, last: first + random.below(15), category: root === "OTA_HotelInvCountNotifRQ" ? (category ?? "DBL") : category, plan };
}

const DAYS = ["Mon Monday MO", "Tue tues TUESDAY", "Weds wed Wednesday", "Thur Thu thursday", "Fri FRIDAY", "Sat sa", "Sun Sunday"];
const always = (attribute: string): Limit => ({ attribute, leaves: () => "none" });
const withoutPlan = (attribute: string): Limit => ({ attribute, leaves: ({ plan }) => (plan === undefined ? "none" : "all") });
const withoutCategory = (attribute: string): Limit => ({ attribute, leaves: ({ category }) => (category === undefined ? "none" : "all") });

const LIMITS: readonly Limit[] = [
  ...DAYS.flatMap((names, index) =>
    names.split(" ").flatMap((name): Limit[] => [
      { attribute: `${name}="Y"`, leaves: () => 1 << index },
      { attribute: `${name}="0"`, leaves: () => 127 & ~(1 << index) },
    ]),
  ),
  ...["RatePlanCategory", "RatePlanType", "RateTier", "RatePlanQualifier"].map((name) => withoutPlan(`${name}="1"`)),
  ...['InvType="DBL"', 'IsRoom="0"'].map(withoutCategory),
  ...["RatePlanCodeType", "InvCodeApplication"].map((name) =>
    always(`${name}="${name === "RatePlanCodeType" ? "RatePlan" : "Inv"}GroupingCode"`),
  ),
  ...["InvBlockCode", "SubBlockCode", "RatePlanGroup", "PromotionCode", "QuoteID", "WingIdentifier", "RoomView"].map((name) =>
    always(`${name}="X"`),
  ),
  ...["MarketSegment", "sourceOfBusiness", "Product_Type", "MealPlan", "BoardBasis", "GuestCountry", "TourOperatorCode"].map((name) =>
    always(`${name}="X"`),
  ),
  ...["Guests", "Adults", "Occupancy", "NonSmoking", "PointOfSale", "OTA", "SiteID", "ProfileID", "Thrs", "OnMonday"].map((name) =>
    always(`${name}="1"`),
  ),
  ...["AccountGroup", "ContractID", "SeasonCode", "CustomerTier", "Weekdays", "DaysOfWeek", "BookingFrom"].map((name) =>
    always(`${name}="X"`),
  ),
  ...["<Market>X</Market>", '<Segments><Segment Code="X"/></Segments>', "<Anything>X</Anything>"].map((child): Limit => ({
    attribute: "",
    child,
    leaves: () => "none",
  })),
  { attribute: 'RatePlanCodeType="RatePlanCode"', leaves: () => "all" },
  { attribute: 'Override="1"', leaves: () => "all" },
];

function writeLine(root: Root, { first, last, category, plan }: Line, limit?: Limit): string {
  const target = [
    `Start="${formatNight(first)}" End="${formatNight(last)}"`,
    category === undefined ? 'AllInvCode="true"' : `InvTypeCode="${category}"`,
    plan === undefined ? "" : `RatePlanCode="${plan}"`,
    limit?.attribute ?? "",
  ];
  const control = `<StatusApplicationControl ${target.join(" ")}>${limit?.child ?? ""}</StatusApplicationControl>`;
  if (root === "OTA_HotelInvCountNotifRQ") return `<Inventory>${control}<InvCounts><InvCount Count="3"/></InvCounts></Inventory>`;
  if (root === "OTA_HotelAvailNotifRQ") return `<AvailStatusMessage>${control}<RestrictionStatus Status="Close"/></AvailStatusMessage>`;
  if (root === "OTA_HotelBookingRuleNotifRQ")
    return `<RuleMessage>${control}<BookingRules><BookingRule><RestrictionStatus Status="Close"/></BookingRule></BookingRules></RuleMessage>`;
  return `<RateAmountMessage>${control}<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="99"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
}

const LISTS: Readonly<Record<Root, string>> = {
  OTA_HotelInvCountNotifRQ: "Inventories",
  OTA_HotelAvailNotifRQ: "AvailStatusMessages",
  OTA_HotelBookingRuleNotifRQ: "RuleMessages",
  OTA_HotelRateAmountNotifRQ: "RateAmountMessages",
};

function messageOf(root: Root, hotel: string, lines: readonly string[]): string {
  return `<${root} xmlns="http://www.opentravel.org/OTA/2003/05"><${LISTS[root]} HotelCode="${hotel}">${lines.join("")}</${LISTS[root]}></${root}>`;
}

/** `cells` contains each changed night with its category. */
type Sent = { text: string; cells: ReadonlySet<string> };

async function send(channel: Channel, xml: string): Promise<Sent> {
  const { headers, body } = wrapRequest(xml, { transport: "raw" });
  const { text, receipt } = await channel.post({ headers: { ...headers }, body, dryRun: true });
  const cells = new Set<string>();
  for (const { category, first, last } of receipt!.changes)
    for (let night = first; night <= last; night++) cells.add(`${category} ${night}`);
  return { text, cells };
}

function problemOf({ before, after, line, limit }: { before: Sent; after: Sent; line: Line; limit: Limit }): string | undefined {
  if (before.cells.size === 0) return "the message itself changes nothing";
  const more = after.cells.difference(before.cells);
  if (more.size > 0) return `changes ${[...more].join(", ")} too`;
  const isRefused = after.text.includes("<Errors>");
  if (isRefused) return after.cells.size === 0 ? undefined : "changes nights although it is refused";
  const leaves = limit.leaves(line);
  const cells = [...before.cells].filter((cell) => isLeft(Number(cell.split(" ")[1]), line, leaves));
  return after.cells.symmetricDifference(new Set(cells)).size === 0 ? undefined : `does not change what ${JSON.stringify(limit)} leaves`;
}

/** Returns whether a limit leaves a night. Nights outside the limited line are always left. */
function isLeft(night: Night, { first, last }: Line, leaves: ReturnType<Limit["leaves"]>): boolean {
  if (night < first || night > last || leaves === "all") return true;
  // 1970-01-01 was a Thursday; Monday is bit 0.
  return leaves !== "none" && (leaves & (1 << ((night + 3) % 7))) !== 0;
}
