import { formatNight, type Night, parseNight } from "../../calendar/night.ts";
import { type ExampleRequest, wrapRequest } from "../../modules/channel/example.ts";
import type { Profile } from "../../modules/channel/profiles/profile.ts";
import { decodeXml } from "../../xml/decode.ts";
import { findProprietaryFormat } from "./proprietary-formats.ts";
import type { Sample } from "./samples.ts";

export type SampleRequest = ExampleRequest & { status: number | undefined };

const ACTIONS_BY_ROOT: Readonly<Record<string, string>> = {
  OTA_PingRQ: "OTA_Ping:Handshaking",
  OTA_HotelInvCountNotifRQ: "OTA_HotelInvCountNotif:FreeRooms",
  OTA_HotelAvailNotifRQ: "OTA_HotelAvailNotif:FreeRooms",
  OTA_HotelRatePlanNotifRQ: "OTA_HotelRatePlanNotif:RatePlans",
  OTA_HotelRatePlanRQ: "OTA_HotelRatePlan:BaseRates",
  OTA_HotelDescriptiveContentNotifRQ: "OTA_HotelDescriptiveContentNotif:Inventory",
  OTA_HotelDescriptiveInfoRQ: "OTA_HotelDescriptiveInfo:Inventory",
  OTA_ReadRQ: "OTA_Read:GuestRequests",
  OTA_NotifReportRQ: "OTA_NotifReport:GuestRequests",
  OTA_HotelResNotifRQ: "OTA_HotelResNotif:GuestRequests",
  OTA_HotelPostEventNotifRQ: "OTA_HotelPostEventNotif:EventReports",
};

/** Builds a sample's requests: one, or one per content type in its expectation. */
export function requestsFor({ file, version, expected }: Sample, bytes: Buffer, { root, text }: MessageCodes): SampleRequest[] {
  if (version !== undefined)
    return [{ ...wrapRequest(text, { transport: "alpinebits", version, action: actionForFile(file, root) }), status: undefined }];
  const typedExpectations = [...expected.matchAll(/(\d{3}) when sent as (\w+)/g)];
  if (typedExpectations.length === 0) return [{ headers: { "content-type": contentType(text) }, body: bytes, status: undefined }];
  return typedExpectations.map(([, status, type]) => ({
    headers: { "content-type": `application/${type!.toLowerCase()}` },
    body: encodeBody(type!, bytes),
    status: Number(status),
  }));
}

/** Recognises the Info action by file name. Files named "with-hotelinfo" or "with-roomtype" contain an Inventory message. */
function actionForFile(file: string, root: string | undefined): string | undefined {
  const action = ACTIONS_BY_ROOT[root ?? ""];
  return /(?<!-with-)hotelinfo(?!-with-roomtype)/i.test(file) ? action?.replace(":Inventory", ":Info") : action;
}

function contentType(text: string): string {
  if (/^\s*\{/.test(text)) return "application/json";
  if (text.includes("http://www.w3.org/2003/05/soap-envelope")) return "application/soap+xml; charset=utf-8";
  return /<(\w+:)?Envelope\b/.test(text) ? "text/xml" : "application/xml";
}

/** Removes the XML declaration that JSON samples start with. */
function encodeBody(type: string, bytes: Buffer): Buffer {
  return type === "JSON" ? Buffer.from(bytes.toString("utf8").replace(/^<\?xml[^>]*\?>\s*/, "")) : bytes;
}

export type MessageCodes = {
  text: string;
  root: string | undefined;
  hotel: string | undefined;
  hotelName: string | undefined;
  categories: readonly string[];
  plans: readonly string[];
  first: Night | undefined;
  last: Night | undefined;
};

export function readCodes(bytes: Buffer): MessageCodes {
  const decodedXml = decodeXml(bytes);
  const text = "source" in decodedXml ? String(decodedXml.source) : bytes.toString("latin1");
  const format = findProprietaryFormat(text);
  const nights = findValues(text, format?.nights ?? /\s(?:Start|End)\s*=\s*["']([\d-]{10})/g)
    .map(parseNight)
    .filter((night) => night !== undefined);
  return {
    text,
    root: /<(?:\w+:)?((?:OTA_\w+|\w+)RQ)\b/.exec(text)?.[1],
    hotel: findValues(text, format?.hotel ?? /\sHotelCode\s*=\s*["']([^"']*)["']/g)[0],
    hotelName: findValues(text, /\sHotelName\s*=\s*["']([^"']*)["']/g)[0],
    categories: format ? uniqueCodes(findValues(text, format.categories)) : findCategories(text),
    plans: uniqueCodes(findValues(text, format?.plans ?? /\sRatePlanCode\s*=\s*["']([^"']*)["']/g)),
    first: nights.length > 0 ? Math.min(...nights) : undefined,
    last: nights.length > 0 ? Math.max(...nights) : undefined,
  };
}

/** Returns the message's codes and nights, as read with a profile. */
export function codesAsRead(codes: MessageCodes, { category, plan, hotelCode, end }: Profile): MessageCodes {
  const { text, categories, plans, hotel, last } = codes;
  return {
    ...codes,
    categories: category === "RatePlanCode" ? plans : categories,
    plans: plan === "RatePlanCategory" ? uniqueCodes(findValues(text, /\sRatePlanCategory\s*=\s*["']([^"']*)["']/g)) : plans,
    hotel: hotelCode === "BrandCode" ? (findValues(text, /\sBrandCode\s*=\s*["']([^"']*)["']/g)[0] ?? hotel) : hotel,
    last: last === undefined || end === "included" ? last : last - 1,
  };
}

function findCategories(text: string): string[] {
  const types = findValues(text, /\sInvTypeCode\s*=\s*["']([^"']*)["']/g);
  const rooms = types.length > 0 ? [] : findValues(text, /<(?:\w+:)?StatusApplicationControl[^>]*?\sInvCode\s*=\s*["']([^"']*)["']/g);
  const rules = [...text.matchAll(/<(?:\w+:)?BookingRule\b([^>]*)>/g)].flatMap(([, attributes = ""]) =>
    attributes.includes("ROOMTYPE") ? findValues(attributes, /\sCode\s*=\s*["']([^"']*)["']/g) : [],
  );
  return uniqueCodes([...types, ...rooms, ...rules]);
}

function findValues(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => unescapeXml(match[1]!).trim());
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

function uniqueCodes(codes: readonly string[]): string[] {
  return [...new Set(codes)].filter((code) => code !== "");
}

/** Matches dates in XML and JSON, but not timestamps. */
const DATE_PATTERN = /(\s(?![\w:]*(?:Time|Stamp|Birth))[\w:]+\s*=\s*["']|"date(?:_from|_to)?"\s*:\s*")(\d{4}-\d{2}-\d{2})(?=["'T])/g;
const DAYS_PER_WEEK = 7;

/** Moves all dates by the same number of weeks, so that the first date is tomorrow or later. Leaves other bytes unchanged. */
export function moveDates(bytes: Buffer, tomorrow: Night): Buffer {
  const text = decodeSample(bytes);
  const nights = [...text.matchAll(DATE_PATTERN)].map((match) => parseNight(match[2]!)).filter((night) => night !== undefined);
  const daysBehind = tomorrow - Math.min(...nights);
  if (!Number.isFinite(daysBehind) || daysBehind <= 0) return bytes;
  const days = Math.ceil(daysBehind / DAYS_PER_WEEK) * DAYS_PER_WEEK;
  return encodeLike(
    text.replaceAll(DATE_PATTERN, (whole, before: string, date: string) => {
      const night = parseNight(date);
      return night === undefined ? whole : before + formatNight(night + days);
    }),
    bytes,
  );
}

function decodeSample(bytes: Buffer): string {
  if (utf16Order(bytes) === "le") return bytes.toString("utf16le");
  return utf16Order(bytes) === "be" ? swapBytes(bytes).toString("utf16le") : bytes.toString("latin1");
}

function encodeLike(text: string, like: Buffer): Buffer {
  if (utf16Order(like) === "le") return Buffer.from(text, "utf16le");
  return utf16Order(like) === "be" ? swapBytes(Buffer.from(text, "utf16le")) : Buffer.from(text, "latin1");
}

function utf16Order([first, second]: Buffer): "le" | "be" | undefined {
  if (first === 0xff && second === 0xfe) return "le";
  return first === 0xfe && second === 0xff ? "be" : undefined;
}

function swapBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

const ROOT_ATTRIBUTES = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** Number of nights whose values are set before each message, so that deleted and unchanged values can be detected. */
export const BASELINE_NIGHTS = 700;

export type BaselineOptions = { hotel: string; categories: readonly string[]; plans: readonly string[]; from: Night };

export function baselineMessages({ hotel, categories, plans, from }: BaselineOptions): string[] {
  if (categories.length === 0) return [];
  const dates = `Start="${formatNight(from)}" End="${formatNight(from + BASELINE_NIGHTS)}"`;
  const counts = categories.map(
    (code) =>
      `<Inventory><StatusApplicationControl ${dates} InvTypeCode="${code}"/><InvCounts><InvCount CountType="2" Count="7"/></InvCounts></Inventory>`,
  );
  const rates = categories.flatMap((code) => plans.map((plan) => rateXml(`${dates} InvTypeCode="${code}" RatePlanCode="${plan}"`)));
  const inventories = `<OTA_HotelInvCountNotifRQ ${ROOT_ATTRIBUTES}><Inventories HotelCode="${hotel}">${counts.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
  if (rates.length === 0) return [inventories];
  return [
    inventories,
    `<OTA_HotelRateAmountNotifRQ ${ROOT_ATTRIBUTES}><RateAmountMessages HotelCode="${hotel}">${rates.join("")}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`,
  ];
}

function rateXml(control: string): string {
  const amounts = [1, 2, 3].map((guests) => `<BaseByGuestAmt AmountAfterTax="${50 + 10 * guests}" NumberOfGuests="${guests}"/>`).join("");
  return `<RateAmountMessage><StatusApplicationControl ${control}/><Rates><Rate><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
}
