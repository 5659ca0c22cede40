import { type Attribute, type Group, findGroup, type PageKind } from "../calendar/attributes.ts";
import type { LaneNights } from "../calendar/lane.ts";
import { formatNight, type Night } from "../calendar/night.ts";
import { reasonText, type Verdict } from "../calendar/verdict.ts";
import type { Database } from "../db/database.ts";
import { type NightEvent, nightHistory } from "../journal/history.ts";
import { findOrigins } from "../journal/messages.ts";
import { readNights } from "../journal/nights.ts";
import type { Html } from "../web/html.ts";
import { path } from "../web/path.ts";
import { changeJson } from "./changes.ts";
import type { GridContext } from "./context.ts";
import { toDay } from "./day.ts";
import { type GridFields, gridLink, pastLink } from "./links.ts";
import { type NightDetail, nightPanel, type NightValue } from "./night-panel.ts";
import { saleJson } from "./sale-export.ts";
import { type LaneEvent, withSources } from "./verdict-sources.ts";
import { verdictText } from "./verdict-text.ts";

type DetailRow = { kind: PageKind; lane: string; groups: readonly Group[] };

/** The selected night. `related` lanes belong to the whole category and also affect the night. `verdict` is undefined if unknown. */
export type NightSubject = DetailRow & { title: string; verdict?: Verdict | undefined; related?: readonly DetailRow[] };

export type SelectedNight = NightSubject & { night: Night };

export async function nightDetail(database: Database, context: GridContext, subject: SelectedNight): Promise<Html> {
  return nightPanel(await findDetail(database, context, subject));
}

/** Returns the selected night's verdict and history. */
export async function nightJson(database: Database, context: GridContext, subject: SelectedNight): Promise<object> {
  const events = await listEvents(database, context, subject);
  const verdict = subject.verdict && withSources(subject.verdict, filterEventsUntilAsOf(context, events), context.query.nightRow);
  return {
    verdict: verdict && (await explainJson(database, context, verdict)),
    history: events.filter(({ isRelated }) => !isRelated).map(eventJson),
  };
}

function eventJson({ message, at, sender, changes, currencies }: NightEvent): object {
  const changesAsJson = changes.map((change) => changeJson({ ...change, currencies }));
  return { message, at: new Date(at).toISOString(), sender: sender ?? undefined, changes: changesAsJson };
}

async function findDetail(database: Database, context: GridContext, subject: SelectedNight): Promise<NightDetail> {
  const { query, property, today } = context;
  const { night, title, verdict } = subject;
  const [lanes, events] = await Promise.all([readLanes(database, context, subject), listEvents(database, context, subject)]);
  const pastEvents = filterEventsUntilAsOf(context, events);
  const values = lanes.flatMap((lane) => listValues(lane, pastEvents));
  const currency = values.find(({ column }) => column === "currency")?.value;
  return {
    day: toDay(night, today),
    title,
    currency: currency === undefined ? property.currency : String(currency),
    timeZone: property.timeZone,
    verdict: verdict && (await explainVerdict(database, context, withSources(verdict, pastEvents, query.nightRow))),
    values,
    setters: await findSetters(database, lanes[0]!, values),
    events: events.map((event) => ({
      ...event,
      gridBefore: pastLink(context, event.at - 1, selectedNightFields(context)),
      compare: gridLink(context, { ...selectedNightFields(context), compare: new Date(event.at - 1).toISOString() }),
      isLater: query.asOf !== undefined && event.at > query.asOf,
    })),
    at: query.asOf ?? context.now,
    before: neighbourLink(context, night - 1),
    after: neighbourLink(context, night + 1),
    close: gridLink(context, {}),
    allRows: query.category === "" && query.plan === "" ? undefined : gridLink(context, { category: "", plan: "" }),
    otherGrid: otherGrid(context),
  };
}

type DetailLane = DetailRow & { isRelated: boolean; nights: LaneNights | undefined };

/** Reads the selected night's own lane, then related lanes. */
function readLanes(database: Database, context: GridContext, { night, related = [], ...own }: SelectedNight) {
  const { query, property } = context;
  const range = { property: property.code, asOf: query.asOf, categories: [query.nightRow.category], first: night, last: night };
  return Promise.all(
    [own, ...related].map(async (shown): Promise<DetailLane> => {
      const { kind, lane, groups } = shown;
      const [nights] = await readNights(database, { ...range, kind, lanes: [lane] });
      return { kind, lane, groups, isRelated: shown !== own, nights };
    }),
  );
}

async function explainVerdict(database: Database, { property, query }: GridContext, verdict: Verdict): Promise<Html> {
  return verdictText(verdict, { row: query.nightRow, timeZone: property.timeZone, sources: await findSources(database, verdict) });
}

async function explainJson(database: Database, { query }: GridContext, verdict: Verdict): Promise<object> {
  const sources = await findSources(database, verdict);
  const reasons = verdict.reasons.map((reason) => {
    const { at, sender } = sources.get(reason.message ?? 0) ?? {};
    return { ...reason, at: at === undefined ? undefined : new Date(at).toISOString(), sender, text: reasonText(reason, query.nightRow) };
  });
  return { ...saleJson(verdict), reasons };
}

function findSources(database: Database, { reasons }: Verdict): ReturnType<typeof findOrigins> {
  return findOrigins(
    database,
    reasons.map(({ message }) => message).filter((id) => id !== undefined),
  );
}

/** Returns the events that happened up to the displayed time. */
function filterEventsUntilAsOf({ query: { asOf = Infinity } }: GridContext, events: readonly SubjectEvent[]): SubjectEvent[] {
  return events.filter(({ at }) => at <= asOf);
}

type SubjectEvent = LaneEvent & { isRelated: boolean };

/** Returns changes to the night and to everything that affects whether it can be sold, newest first. */
async function listEvents(
  database: Database,
  { property, query: { nightRow } }: GridContext,
  { night, related = [], ...own }: SelectedNight,
): Promise<SubjectEvent[]> {
  const events = await Promise.all(
    [own, ...related].map(async (shown) => {
      const { kind, lane, groups } = shown;
      const history = await nightHistory(database, { property: property.code, kind, category: nightRow.category, lane, night });
      return filterEventsByGroup(groups, history).map((event) => ({ ...event, kind, lane, isRelated: shown !== own }));
    }),
  );
  return events.flat().toSorted((a, b) => b.message - a.message);
}

function filterEventsByGroup(groups: readonly Group[], history: readonly NightEvent[]): NightEvent[] {
  const events = history.map((event) => ({ ...event, changes: event.changes.filter(({ column }) => isInGroups(groups, column)) }));
  return events.filter(({ changes }) => changes.length > 0);
}

/** `events` are newest first. A value's source is the message that changed it to its current value. */
function listValues({ kind, lane, groups, isRelated, nights }: DetailLane, events: readonly SubjectEvent[]): NightValue[] {
  const laneEvents = events.filter((event) => event.kind === kind && event.lane === lane);
  return [...(nights?.columns ?? [])].flatMap(([column, [value]]) => {
    if (value === undefined || !isInGroups(groups, column)) return [];
    const source = laneEvents.find(({ changes }) => changes.some((change) => change.column === column && change.to === value));
    return [{ column, value, isRelated, source }];
  });
}

function isInGroups(groups: readonly Group[], column: Attribute): boolean {
  return groups.includes(findGroup(column)!);
}

/** Returns a link to the same row one night earlier or later. Moves the grid if that night is out of view. */
function neighbourLink(context: GridContext, night: Night): NightDetail["before"] {
  const { query, first } = context;
  const day = toDay(night, context.today);
  const from = night < first || night >= first + query.days ? { from: day.iso } : {};
  return { day, to: gridLink(context, { ...selectedNightFields(context), ...from, night: day.iso }) };
}

const RATES_PATH = path`/rates`;

function otherGrid(context: GridContext): NightDetail["otherGrid"] {
  const fields = { ...selectedNightFields(context), nightRoom: "", plan: "", only: "" };
  if (context.base.text !== RATES_PATH.text)
    return { label: "Rates for this night", to: gridLink({ ...context, base: RATES_PATH }, fields) };
  const to = gridLink({ ...context, base: path`/inventories` }, { ...fields, nightPlan: "" });
  return { label: "Counts for this night", to };
}

function selectedNightFields({ query: { night, nightRow } }: GridContext): GridFields {
  const { category, plan, room } = nightRow;
  return { nightCategory: category, nightPlan: plan, nightRoom: room, night: formatNight(night!) };
}

/** Returns the last message that set each group, unless it is already shown as the source of a value. */
async function findSetters(
  database: Database,
  { nights, groups }: DetailLane,
  values: readonly NightValue[],
): Promise<NightDetail["setters"]> {
  const namedMessages = new Set(values.map(({ source }) => source?.message));
  const setterIds = groups.flatMap((group) => {
    const message = nights?.setters.get(group)?.[0];
    return message === undefined || namedMessages.has(message) ? [] : [{ group, message }];
  });
  const ids = setterIds.map(({ message }) => message);
  const origins = await findOrigins(database, ids);
  return setterIds.map(({ group, message }) => ({ group, message, at: undefined, sender: undefined, ...origins.get(message) }));
}
