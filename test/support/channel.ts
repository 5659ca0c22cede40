import { Readable } from "node:stream";
import { before, type TestContext } from "node:test";
import type { PageKind } from "../../src/calendar/attributes.ts";
import { formatNight, parseNight } from "../../src/calendar/night.ts";
import { PLAIN_CATEGORY, PLAIN_PROPERTY } from "../../src/cli/seed/records.ts";
import { fixedClock } from "../../src/clock.ts";
import type { Database } from "../../src/db/database.ts";
import type { CategoryRow, PropertyRow } from "../../src/db/schema.ts";
import { readNights } from "../../src/journal/nights.ts";
import { wrapRequest, type SendOptions } from "../../src/modules/channel/example.ts";
import type { OutgoingResponse } from "../../src/modules/channel/exchange.ts";
import { handleMessage } from "../../src/modules/channel/handle.ts";
import { BODY_LIMITS } from "../../src/modules/channel/limits.ts";
import type { Message } from "../../src/modules/channel/message.ts";
import { messages as allMessages } from "../../src/modules/channel/messages/index.ts";
import type { StoredProfile } from "../../src/modules/channel/profiles/knobs.ts";
import { receiveRequest, type ReceiveDeps } from "../../src/modules/channel/receive.ts";
import { senderAccess } from "../../src/modules/channel/senders/access.ts";
import { readHeaderCredentials } from "../../src/modules/channel/senders/header-credentials.ts";
import { SenderRate, SenderSlots } from "../../src/modules/channel/senders/quotas.ts";
import { ChannelTraffic } from "../../src/modules/channel/traffic.ts";
import { BodyReader, type UnreadReason } from "../../src/modules/channel/transports/body.ts";
import { withSortName } from "../../src/records/sort-name.ts";
import { eachEngine } from "./databases.ts";
import { addSender } from "./senders.ts";

export const NOON = Date.UTC(2026, 10, 20, 12);
const TODAY = parseNight("2026-11-20")!;

export const day = (days: number): string => formatNight(TODAY + days);

export type Answered = OutgoingResponse & { text: string };

/** Requires credentials unless `open` is set. Each post comes from a different address unless `remote` is set. */
export type Post = { body: string | Uint8Array; headers?: Record<string, string>; open?: boolean; dryRun?: boolean; remote?: string };

export const SILENT = { info() {}, warn() {} };

export function openChannel(database: Database, messages: readonly Message[] = allMessages) {
  const clock = fixedClock(NOON);
  const recorded: unknown[] = [];
  let posts = 0;
  const access = senderAccess({ database, clock }, SILENT);
  const recordError = async (error: unknown) => recorded.push(error);
  const slots = new SenderSlots(Infinity);
  const rate = new SenderRate(undefined);
  const bodies = new BodyReader(BODY_LIMITS);
  const deps: ReceiveDeps = { database, clock, messages, traffic: new ChannelTraffic(), access, slots, rate, recordError };
  async function post({
    body,
    headers = {},
    open = true,
    dryRun = false,
    remote = `2001:db8:${(++posts).toString(16)}::1`,
  }: Post): Promise<Answered> {
    const out = await (isUnread(body) || dryRun ? handle(body) : receive(body));
    return { ...out, text: Buffer.from(out.body).toString("utf8") };

    function receive(content: string | Uint8Array): Promise<OutgoingResponse> {
      const stream = Readable.from([typeof content === "string" ? Buffer.from(content) : content], { objectMode: false });
      return receiveRequest(deps, { headers, body: bodies.open(stream), remote, open });
    }

    async function handle(content: Post["body"]): Promise<OutgoingResponse> {
      const who = await access.authenticate({ credentials: readHeaderCredentials(headers), open, remote });
      const bytes = isUnread(content) || typeof content !== "string" ? content : Buffer.from(content);
      return handleMessage(deps, { headers, body: bytes, who, remote, via: "channel", dryRun });
    }
  }
  return {
    database,
    clock,
    recorded,
    post,
    /** Sends a document in a transport; the default is plain XML. */
    send: (xml: string, sending: SendOptions = { transport: "raw" }) => post(wrapRequest(xml, sending)),
    /** Sends documents as a new sender with a profile. Without `hotels`, the sender can access every property. */
    async as(profile: StoredProfile, hotels?: readonly string[]) {
      const secret = await addSender(database, { name: `sender-${++senders}`, hotels, profile });
      return (xml: string, sending: SendOptions = { transport: "raw" }) => {
        const { headers, body } = wrapRequest(xml, sending);
        return post({ headers: { ...headers, authorization: `Bearer ${secret}` }, body });
      };
    },
    hotel: (property: Partial<PropertyRow> = {}, category: Partial<CategoryRow> = {}) => addHotel(database, property, category),
  };
}
export type Channel = ReturnType<typeof openChannel>;

function isUnread(body: Post["body"]): body is UnreadReason {
  return body === "too-large" || body === "busy";
}

/** Makes the handling of every message appear to take 16 seconds. */
export function delayMessages({ mock }: TestContext, { clock }: Channel): void {
  let elapsed = 0;
  mock.method(performance, "now", () => elapsed);
  mock.method(clock, "now", () => {
    elapsed = 16_000;
    return NOON;
  });
}

/** Registers channel tests for each engine. The tests share one database, so each test must add its own hotel. */
export function eachChannel(name: string, tests: (channel: Channel) => void): void {
  eachEngine(name, (open) => {
    const channel = {} as Channel;
    before(async () => {
      Object.assign(channel, openChannel(await open()));
    });
    tests(channel);
  });
}

let hotels = 0;
let senders = 0;

/** Adds a hotel with a unique code and the categories DBL and SGL. */
export async function addHotel(database: Database, property: Partial<PropertyRow>, category: Partial<CategoryRow>) {
  const code = property.code ?? `H${process.pid}-${++hotels}`;
  await database.write
    .insertInto("property")
    .values(withSortName({ ...PLAIN_PROPERTY, ...property, code }))
    .execute();
  for (const name of ["DBL", "SGL"]) {
    await database.write
      .insertInto("category")
      .values(withSortName({ ...PLAIN_CATEGORY, rooms: 50, max_occupancy: 4, ...category, property: code, code: name, name }))
      .execute();
  }
  return { code, night: (date: string, at: Lane) => nightOf(database, code, { ...at, date }) };
}

export type Lane = { kind?: PageKind; category?: string; lane?: string };

async function nightOf(
  database: Database,
  property: string,
  { kind = "inventory", category = "DBL", lane = "", date }: Lane & { date: string },
) {
  const night = parseNight(date)!;
  const [found] = await readNights(database, { property, kind, categories: [category], lanes: [lane], first: night, last: night });
  const values = [...(found?.columns ?? [])].map(([column, [value]]) => [column, value] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
