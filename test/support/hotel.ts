import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { refreshSummaries } from "../../src/journal/summary/refresh.ts";
import type { TestApp } from "./app.ts";

export const TODAY = "2026-11-20";

type Fields = Readonly<Record<string, string>>;

export async function makeHotel(service: TestApp, property: Fields = {}): Promise<void> {
  await makeProperty(service, { code: "ALP", name: "Alpenblick", timeZone: "Europe/Rome", ...property });
  await makeCategory(service, {
    hotelCode: "ALP",
    code: "DBL",
    name: "Double room",
    rooms: "10",
    standardOccupancy: "2",
    maxOccupancy: "3",
  });
  await makeCategory(service, { hotelCode: "ALP", code: "SGL", name: "Single room", rooms: "4", standardOccupancy: "1", sortOrder: "1" });
}

export async function makeProperty(service: TestApp, fields: Fields): Promise<void> {
  await sendForm(service, "/property/new", fields);
}

export async function makeCategory(service: TestApp, fields: Fields): Promise<void> {
  await sendForm(service, "/category/new", fields);
}

/** Edits some fields of a record and keeps the others. */
export async function editRecord(service: TestApp, url: string, fields: Fields): Promise<void> {
  await sendForm(service, url, fields);
}

async function sendForm(service: TestApp, url: string, fields: Fields): Promise<void> {
  const response = await service.visitor().post(url, fields);
  assert.equal(response.statusCode, 303, response.body);
}

/** Posts a document to the channel. `sender` is the user name of its Basic credentials. */
export function postXml(service: TestApp, xml: string, sender = "pms"): Promise<LightMyRequestResponse> {
  const authorization = `Basic ${Buffer.from(`${sender}:secret`).toString("base64")}`;
  return service.inject({ method: "POST", url: "/channel", headers: { "content-type": "application/xml", authorization }, payload: xml });
}

export async function postMessage(service: TestApp, xml: string, sender?: string): Promise<void> {
  const { statusCode, body } = await postXml(service, xml, sender);
  assert.equal(statusCode, 200, body);
  assert.match(body, /<Success\/>/, body);
}

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';

/**
 * Returns a count message. `control` contains the attributes of StatusApplicationControl; `counts` contains pairs of count type and count.
 */
export function countMessage(...lines: readonly { control: string; counts?: readonly (readonly [number, number])[] }[]): string {
  const inventory = lines.map(({ control, counts = [] }) => {
    const all = counts.map(([type, count]) => `<InvCount CountType="${type}" Count="${count}"/>`).join("");
    return `<Inventory><StatusApplicationControl ${control}/>${all === "" ? "" : `<InvCounts>${all}</InvCounts>`}</Inventory>`;
  });
  return `<OTA_HotelInvCountNotifRQ ${NAMESPACE} Version="4.000"><Inventories HotelCode="ALP">${inventory.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

/** Returns an availability message. `control` contains the attributes of StatusApplicationControl; `content` is the XML after it. */
export function availMessage(...lines: readonly { control: string; content: string; limit?: number }[]): string {
  const messages = lines.map(({ control, content, limit }) => {
    const attribute = limit === undefined ? "" : ` BookingLimit="${limit}"`;
    return `<AvailStatusMessage${attribute}><StatusApplicationControl ${control}/>${content}</AvailStatusMessage>`;
  });
  return `<OTA_HotelAvailNotifRQ ${NAMESPACE} Version="1.0"><AvailStatusMessages HotelCode="ALP">${messages.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
}

/** Returns a rate message. `amounts` contains the attributes of each BaseByGuestAmt. */
export function rateMessage(...lines: readonly { control: string; currency?: string; amounts: readonly string[] }[]): string {
  const messages = lines.map(({ control, currency = "EUR", amounts }) => {
    const all = amounts.map((amount) => `<BaseByGuestAmt ${amount}/>`).join("");
    return `<RateAmountMessage><StatusApplicationControl ${control}/><Rates><Rate CurrencyCode="${currency}"><BaseByGuestAmts>${all}</BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
  });
  return `<OTA_HotelRateAmountNotifRQ ${NAMESPACE} Version="1.0"><RateAmountMessages HotelCode="ALP">${messages.join("")}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
}

/** Returns the text of `<main>` with white space collapsed, and without the marks of changed nights. */
export function textOf({ body }: LightMyRequestResponse): string {
  const main = body.slice(body.indexOf("<main"), body.indexOf("</main>"));
  const text = main
    .replaceAll("<wbr />", "")
    .replaceAll("<u> changed</u>", "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([,.])/g, "$1");
  return text
    .replaceAll("&ndash;", "-")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Brings the portfolio's summaries up to date, as the service does in the background. */
export async function summarise({ database, clock }: TestApp): Promise<void> {
  while (await refreshSummaries(database, clock.now()));
}
