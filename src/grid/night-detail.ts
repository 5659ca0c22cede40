import { type Attribute, type Group, groupOf, type Kind } from "../calendar/attributes.ts";
import type { LaneNights } from "../calendar/lane-nights.ts";
import { formatNight, type Night } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { type NightEvent, nightHistory } from "../journal/history.ts";
import { findSenders } from "../journal/messages.ts";
import { asOfReach, readNights } from "../journal/nights.ts";
import { type Html, nothing } from "../web/html.ts";
import { path } from "../web/path.ts";
import { changeJson } from "./change-json.ts";
import { dayOf } from "./day.ts";
import { type NightDetail, nightPanel, type Setter } from "./night-panel.ts";
import { type GridFields, gridLink, type GridScene, pastLink } from "./scene.ts";

/** The lane that a view shows the history of, and in words; `groups` are those that belong to the view, `sale` says whether it is on sale. */
export type DetailLane = { kind: Kind; lane: string; groups: readonly Group[]; what: string; sale?: Html | undefined };

/** The history of the night that the query names, with a category; else nothing. */
export async function nightDetail(database: Database, scene: GridScene, lane: DetailLane): Promise<Html> {
  const { night, nightRow } = scene.query;
  if (night === undefined || nightRow.category === "") return nothing;
  return nightPanel(await findDetail(database, scene, { ...lane, night }));
}

/** The changes of that night as JSON, newest first; undefined where no night is named. */
export async function nightHistoryJson(
  database: Database,
  { query, property }: GridScene,
  detail: DetailLane,
): Promise<object[] | undefined> {
  const { night, nightRow } = query;
  if (night === undefined || nightRow.category === "") return undefined;
  const { kind, lane } = detail;
  const history = await nightHistory(database, { property: property.code, kind, category: nightRow.category, lane, night });
  return eventsOf(history, detail.groups).map(({ message, at, sender, changes, currencies }) => ({
    message,
    at: new Date(at).toISOString(),
    sender: sender ?? undefined,
    changes: changes.map((change) => changeJson({ ...change, currencies })),
  }));
}

/** How far back `asOf` reaches, where it is asked for. */
export async function gridReach(database: Database, { query }: GridScene): Promise<number | undefined> {
  return query.asOf === undefined ? undefined : asOfReach(database);
}

async function findDetail(database: Database, scene: GridScene, asked: DetailLane & { night: Night }): Promise<NightDetail> {
  const { query, property, today } = scene;
  const { kind, lane, night, groups, what, sale } = asked;
  const { category } = query.nightRow;
  const key = { property: property.code, kind };
  const [nights, history] = await Promise.all([
    readNights(database, { ...key, asOf: query.asOf, categories: [category], lanes: [lane], first: night, last: night }),
    nightHistory(database, { ...key, category, lane, night }),
  ]);
  const events = eventsOf(history, groups).map((event) => ({
    ...event,
    past: pastLink(scene, event.at - 1, here(scene)),
    later: query.asOf !== undefined && event.at > query.asOf,
  }));
  const values = valuesOf(nights[0]).filter(({ column }) => isOf(groups, column));
  const currency = values.find(({ column }) => column === "currency")?.value;
  return {
    day: dayOf(night, today),
    what,
    currency: currency === undefined ? property.currency : String(currency),
    timeZone: property.timeZone,
    sale,
    values,
    setters: await settersOf(database, nights[0], groups),
    events,
    before: stepLink(scene, night - 1),
    after: stepLink(scene, night + 1),
    close: gridLink(scene, {}),
    all: query.category === "" && query.plan === "" ? undefined : gridLink(scene, { category: "", plan: "" }),
    other: otherView(scene),
  };
}

/** The changes of columns of these groups. */
function eventsOf(history: readonly NightEvent[], groups: readonly Group[]): NightEvent[] {
  const ours = history.map((event) => ({ ...event, changes: event.changes.filter(({ column }) => isOf(groups, column)) }));
  return ours.filter(({ changes }) => changes.length > 0);
}

function isOf(groups: readonly Group[], column: Attribute): boolean {
  return groups.includes(groupOf(column)!);
}

/** The same row a night earlier or later; the grid goes along where it would not show that night. */
function stepLink(scene: GridScene, night: Night): NightDetail["before"] {
  const { query, first } = scene;
  const day = dayOf(night, scene.today);
  const from = night < first || night >= first + query.days ? { from: day.iso } : {};
  return { day, to: gridLink(scene, { ...here(scene), ...from, night: day.iso }) };
}

/** The same night in the other view: of a rate plan where that has it, else of the category. */
function otherView(scene: GridScene): NightDetail["other"] {
  const all = { ...here(scene), nightRoom: "", plan: "", only: "" };
  if (scene.base.text !== RATES.text) return { label: "Rates of this night", to: gridLink({ ...scene, base: RATES }, all) };
  return { label: "Counts of this night", to: gridLink({ ...scene, base: path`/inventories` }, { ...all, nightPlan: "" }) };
}

const RATES = path`/rates`;

/** The night that is asked about, as fields of a link. */
function here({ query: { night, nightRow } }: GridScene): GridFields {
  const { category, plan, room } = nightRow;
  return { nightCategory: category, nightPlan: plan, nightRoom: room, night: formatNight(night!) };
}

function valuesOf(lane: LaneNights | undefined): NightDetail["values"] {
  return [...(lane?.columns ?? [])].flatMap(([column, [value]]) => (value === undefined ? [] : [{ column, value }]));
}

async function settersOf(database: Database, lane: LaneNights | undefined, groups: readonly Group[]): Promise<NightDetail["setters"]> {
  const messages = groups.flatMap((group) => {
    const message = lane?.setters.get(group)?.[0];
    return message === undefined ? [] : [{ group, message }];
  });
  const senders = await findSenders(
    database,
    messages.map(({ message }) => message),
  );
  return messages.map(({ group, message }): Setter & { group: Group } => ({
    group,
    message,
    at: undefined,
    sender: undefined,
    ...senders.get(message),
  }));
}
