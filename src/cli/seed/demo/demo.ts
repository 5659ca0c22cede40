import type { FastifyInstance } from "fastify";
import { buildApp } from "../../../app.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import { fixedClock } from "../../../clock.ts";
import { readConfig } from "../../../config.ts";
import type { Database } from "../../../db/database.ts";
import { SOAP11_ENVELOPE, wrapInEnvelope } from "../../../modules/channel/dialects/soap.ts";
import { createSender } from "../../../modules/channel/senders/edit-store.ts";
import { newCategoryForm } from "../../../records/category/category.ts";
import { createCategory } from "../../../records/category/store.ts";
import { newPropertyForm } from "../../../records/property/property.ts";
import { createProperty, suggestProperties } from "../../../records/property/store.ts";
import { type ReportProgress, UsageError } from "../../command.ts";
import { openErrorLog } from "../../error-log.ts";
import { byCommand } from "../../sender-report.ts";
import { HOTELS, roomTypesFor } from "./hotels.ts";
import { CONNECTIONS, demoEvents, type DemoEvent } from "./timeline.ts";

type DemoOptions = { now: number; progress: ReportProgress };

/** Fills an empty database with 40 hotels and a week of channel messages. Throws `UsageError` if the database has properties. */
export async function fillDemo(database: Database, { now, progress }: DemoOptions): Promise<void> {
  if ((await suggestProperties(database)).length > 0) throw new UsageError(NOT_EMPTY);
  const clock = fixedClock(now - 8 * DAY_MS);
  const by = { ...byCommand(), at: clock.now() };
  await createRecords(database, by);
  const secrets = new Map<string, string>();
  for (const { name, hotels } of CONNECTIONS) {
    const codes = HOTELS.map(({ code }) => code).filter((code) => code.startsWith(hotels));
    secrets.set(name, (await createSender(database, { name, hotels: codes }, by))!);
  }
  const config = readConfig();
  const errors = openErrorLog(config, database, clock);
  const app = await buildApp({ config, clock, database, errors, credentials: undefined });
  const events = demoEvents(now);
  for (const [index, event] of events.entries()) {
    clock.set(event.at);
    await playEvent(app, event, secrets);
    if (index % 50 === 0 || index === events.length - 1) progress("messages", index + 1, events.length);
  }
  await app.close();
  await errors.close();
}

const NOT_EMPTY =
  "This database already has properties. The demo data needs an empty one. Set DATA_DIR to a new folder, or specify how many records to add, such as --properties 10.";

async function createRecords(database: Database, by: { at: number; actor: string }): Promise<void> {
  for (const hotel of HOTELS) {
    const property = newPropertyForm.parse({ ...hotel, groupName: hotel.group, pricesIncludeTax: "on", assumeOpen: "on" });
    await createProperty(database, property, by);
    for (const [sortOrder, { kind, guests, rooms, ...room }] of roomTypesFor(hotel).entries()) {
      const occupancy = { standardOccupancy: String(guests), maxOccupancy: String(guests + 1) };
      const fields = { hotelCode: hotel.code, ...room, kind, ...occupancy, rooms: String(rooms), sortOrder: String(sortOrder) };
      await createCategory(database, newCategoryForm.parse(fields), by);
    }
  }
}

async function playEvent(app: FastifyInstance, event: DemoEvent, secrets: ReadonlyMap<string, string>): Promise<void> {
  if (event.type === "request") return void (await app.inject(event.url));
  if (event.type === "report") {
    const report = {
      message: event.message,
      url: "https://rooms.example/rates",
      line: 12,
      stack: `${event.message}\n    at draw (grid.js:12:5)`,
    };
    return void (await app.inject({ method: "POST", url: "/_errors/log", payload: report }));
  }
  const secret = event.secret === "right" ? secrets.get(event.sender)! : "an old secret";
  const authorization = `Basic ${Buffer.from(`${event.sender}:${secret}`).toString("base64")}`;
  const payload = event.soap ? wrapInEnvelope(event.xml, SOAP11_ENVELOPE) : event.xml;
  await app.inject({
    method: "POST",
    url: "/channel",
    headers: { authorization, "content-type": "text/xml", "user-agent": `${event.sender}/4.2` },
    payload,
  });
}
