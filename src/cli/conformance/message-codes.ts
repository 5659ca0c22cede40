import { type Night, parseNight } from "../../calendar/night.ts";
import { decodeXml } from "../../xml/decode.ts";

/** What a message names, read without judging it. */
export type MessageCodes = {
  text: string;
  root: string | undefined;
  hotel: string | undefined;
  hotelName: string | undefined;
  categories: readonly string[];
  plans: readonly string[];
  /** The first and the last night it names. */
  first: Night | undefined;
  last: Night | undefined;
};

/** Reads the codes and nights of a message; from a broken one, those it finds. */
export function readCodes(bytes: Buffer): MessageCodes {
  const decoded = decodeXml(bytes);
  const text = "source" in decoded ? String(decoded.source) : bytes.toString("latin1");
  const nights = valuesOf(text, /\s(?:Start|End)\s*=\s*["']([\d-]{10})/g)
    .map(parseNight)
    .filter((night) => night !== undefined);
  return {
    text,
    root: /<(?:\w+:)?((?:OTA_\w+|\w+)RQ)\b/.exec(text)?.[1],
    hotel: valuesOf(text, /\sHotelCode\s*=\s*["']([^"']*)["']/g)[0],
    hotelName: valuesOf(text, /\sHotelName\s*=\s*["']([^"']*)["']/g)[0],
    categories: categoriesOf(text),
    plans: distinct(valuesOf(text, /\sRatePlanCode\s*=\s*["']([^"']*)["']/g)),
    first: nights.length > 0 ? Math.min(...nights) : undefined,
    last: nights.length > 0 ? Math.max(...nights) : undefined,
  };
}

/** `InvTypeCode`, else `InvCode`, and the categories that booking rules name. */
function categoriesOf(text: string): string[] {
  const types = valuesOf(text, /\sInvTypeCode\s*=\s*["']([^"']*)["']/g);
  const rooms = types.length > 0 ? [] : valuesOf(text, /<(?:\w+:)?StatusApplicationControl[^>]*?\sInvCode\s*=\s*["']([^"']*)["']/g);
  const rules = [...text.matchAll(/<(?:\w+:)?BookingRule\b([^>]*)>/g)].flatMap(([, attributes = ""]) =>
    attributes.includes("ROOMTYPE") ? valuesOf(attributes, /\sCode\s*=\s*["']([^"']*)["']/g) : [],
  );
  return distinct([...types, ...rooms, ...rules]);
}

function valuesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => unescape(match[1]!).trim());
}

function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

function distinct(codes: readonly string[]): string[] {
  return [...new Set(codes)].filter((code) => code !== "");
}
