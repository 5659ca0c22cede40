import { gzipSync } from "node:zlib";
import { ALPINEBITS_VERSIONS } from "../../../src/modules/channel/dialects/alpinebits.ts";
import { wrapRequest, type SendOptions } from "../../../src/modules/channel/example.ts";
import type { Random } from "./random.ts";
import type { Seed } from "./seeds.ts";

/** One request to the channel. */
export type Input = { headers: Record<string, string>; body: Buffer };

export function inputOf(seeds: readonly Seed[], random: Random): Input {
  if (random.once(25)) return noise(random);
  const seed = random.pick(seeds);
  const mutations = seed.isJson ? JSON_MUTATIONS : XML_MUTATIONS;
  let text = seed.text;
  for (let times = random.below(4); times > 0; times--) text = random.pick(mutations)(text, random, seeds);
  const input = encode(pack(text, seed, random), random);
  for (let times = random.once(5) ? 1 + random.below(2) : 0; times > 0; times--)
    input.body = random.pick(BYTE_MUTATIONS)(input.body, random);
  if (random.once(12)) Object.assign(input.headers, random.pick(UNUSUAL_HEADERS));
  if (random.once(15)) compress(input, random);
  return input;
}

function noise(random: Random): Input {
  const body = Buffer.alloc(random.below(2_000));
  const span = random.pick([256, 128, 16]);
  for (let i = 0; i < body.length; i++) body[i] = span === 16 ? MARKUP.charCodeAt(random.below(MARKUP.length)) : random.below(span);
  return { headers: { ...random.pick(UNUSUAL_HEADERS) }, body };
}

const MARKUP = `<>/="' &;!?[]-aA:xmlns0129\n{}`;

type TextMutation = (text: string, random: Random, seeds: readonly Seed[]) => string;

/** Values that break careless parsers. */
const VALUES = [
  "",
  " ",
  "-1",
  "0",
  "1e9",
  "1e999",
  "NaN",
  "Infinity",
  "-0",
  "+1",
  "00000000000000000001",
  "99999999999999999999",
  "0x10",
  "1,5",
  "1.005",
]
  .concat([
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "2026-12-01T00:00:00",
    "1-1-1",
    "2026-11-2",
    "12/31/2026",
    "true",
    "TRUE",
    "Y",
    "maybe",
  ])
  .concat([
    "CompleteSet",
    "Full",
    "Overlay",
    "Delta",
    "Remove",
    "New",
    "AllInvCode",
    "Close",
    "SetMinLOS",
    "__proto__",
    "constructor",
    "toString",
  ])
  .concat([
    "&#0;",
    "&#x10FFFF;",
    "&#55296;",
    "&nope;",
    "&lt;script&gt;",
    "\u{0}",
    "\u{fffe}",
    "\u{1f600}",
    "\u{202e}",
    "é".repeat(300),
    "x".repeat(70_000),
    "'; drop table message; --",
  ]);

const XML_FRAGMENTS = [
  "<!DOCTYPE a>",
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  "<![CDATA[ ]]>",
  "<!-- - -->",
  "<!-- -- -->",
  "<?xml version='1.1'?>",
  "<?pi x?>",
  "&amp;",
  "&#10;",
  "&",
  "<",
  ">",
  "]]>",
  "</a>",
  "<a/>",
  '<a a="1" a="2"/>',
  "<a:b/>",
  "\u{feff}",
  "\r",
  "\u{85}",
];

const ATTRIBUTE = /\s([\w:]+)="([^"]*)"/g;
const ELEMENT = /<(\w+)\b[^<>]*(?:\/>|>[^<>]*<\/\1>)/g;

const XML_MUTATIONS: readonly TextMutation[] = [
  (xml, random) => replaceOne(xml, { pattern: ATTRIBUTE, random }, ([, name]) => ` ${name}="${random.pick(VALUES)}"`),
  (xml, random) => replaceOne(xml, { pattern: ATTRIBUTE, random }, ([, name]) => ` ${name}="${random.pick(VALUES)}"`),
  (xml, random) => replaceOne(xml, { pattern: ATTRIBUTE, random }, () => ""),
  (xml, random) => replaceOne(xml, { pattern: ATTRIBUTE, random }, ([whole]) => whole + whole),
  (xml, random) => replaceOne(xml, { pattern: ATTRIBUTE, random }, ([, , value], all) => ` ${random.pick(all)[1]}="${value}"`),
  (xml, random) => replaceOne(xml, { pattern: ELEMENT, random }, () => ""),
  (xml, random) => replaceOne(xml, { pattern: ELEMENT, random }, ([whole]) => whole.repeat(1 + random.below(4))),
  (xml, random) => replaceOne(xml, { pattern: ELEMENT, random }, ([whole], all) => whole + random.pick(all)[0]),
  (xml, random) =>
    replaceOne(xml, { pattern: /\d+/g, random }, () => String(random.pick([0, 1, 2, 7, 10, 99, 2_147_483_648, random.below(100_000)]))),
  (xml, random) => insert(xml, random, random.pick(XML_FRAGMENTS)),
  (xml, random) => xml.slice(0, random.below(xml.length + 1)),
  (xml, random, seeds) => xml.slice(0, random.below(xml.length + 1)) + tail(random.pick(seeds).text, random),
  (xml, random) => xml.replace(/xmlns="[^"]*"/, random.pick(["", 'xmlns="urn:other"', 'xmlns:o="http://www.opentravel.org/OTA/2003/05"'])),
  (xml, random) => xml.replace(/encoding="[^"]*"/i, `encoding="${random.pick(["UTF-16", "ISO-8859-1", "windows-1252", "utf-7", "x"])}"`),
  (xml, random) => (random.once(20) ? insert(xml, random, "<x>".repeat(50_000)) : xml),
  (xml, random) =>
    random.once(20) ? replaceOne(xml, { pattern: ELEMENT, random }, ([whole]) => (whole.length < 400 ? whole.repeat(3_000) : whole)) : xml,
  (xml, random) => (random.once(20) ? insert(xml, random, "&lt;".repeat(50_000)) : xml),
  (xml, random) => (random.once(20) ? insert(xml, random, Array.from({ length: 5_000 }, (_, index) => ` a${index}="1"`).join("")) : xml),
];

/** An object member whose value is not a list or an object. */
const MEMBER = /"(\w+)":\s*("[^"]*"|[\d.]+|true|false|null)/g;
const JSON_PIECES = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "null",
  "-",
  "1e999",
  "\\",
  '"\\u0000"',
  '"\\ud800"',
  "[".repeat(50_000),
  "\u{feff}",
  "//",
];

const JSON_MUTATIONS: readonly TextMutation[] = [
  (json, random) => replaceOne(json, { pattern: MEMBER, random }, ([, name]) => `"${name}": ${JSON.stringify(random.pick(VALUES))}`),
  (json, random) => replaceOne(json, { pattern: MEMBER, random }, ([, name]) => `"${name}": ${random.pick(VALUES)}`),
  (json, random) =>
    replaceOne(json, { pattern: MEMBER, random }, ([, name]) => `"${name}": ${random.pick(["[]", "{}", "null", "[null]"])}`),
  (json, random) => replaceOne(json, { pattern: MEMBER, random }, ([, , value]) => `"${random.pick(VALUES)}": ${value}`),
  (json, random) => replaceOne(json, { pattern: MEMBER, random }, ([whole]) => `${whole}, ${whole}`),
  (json, random) => replaceOne(json, { pattern: MEMBER, random }, ([, , value], all) => `"${random.pick(all)[1]}": ${value}`),
  (json, random) =>
    replaceOne(json, { pattern: /\d+/g, random }, () => String(random.pick([0, 1, 99, 2_147_483_648, random.below(100_000)]))),
  (json, random) => insert(json, random, random.pick(JSON_PIECES)),
  (json, random) => json.slice(0, random.below(json.length + 1)),
];

type Choice = { pattern: RegExp; random: Random };
type Change = (match: RegExpExecArray, all: RegExpExecArray[]) => string;

function replaceOne(text: string, { pattern, random }: Choice, change: Change): string {
  const all = [...text.matchAll(pattern)];
  if (all.length === 0) return text;
  const match = random.pick(all);
  return text.slice(0, match.index) + change(match, all) + text.slice(match.index + match[0].length);
}

function insert(text: string, random: Random, piece: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

function tail(text: string, random: Random): string {
  return text.slice(random.below(text.length + 1));
}

function pack(text: string, { isJson, action, version }: Seed, random: Random): Input {
  if (isJson) return packAs(text, { transport: "json" });
  const transport =
    version !== undefined && !random.once(4) ? "alpinebits" : random.pick(["raw", "raw", "soap11", "soap12", "alpinebits"] as const);
  const headerVersion = random.once(10) ? random.pick([...ALPINEBITS_VERSIONS, "2017-10", undefined]) : (version ?? "2024-10");
  return packAs(text, { transport, action: random.once(20) ? random.pick(VALUES.slice(0, 40)) : action, version: headerVersion });
}

function packAs(text: string, sending: SendOptions): Input {
  const { headers, body } = wrapRequest(text, sending);
  return { headers: { ...headers }, body: Buffer.from(body) };
}

function encode(input: Input, random: Random): Input {
  if (!random.once(15)) return input;
  const text = input.body.toString("utf8");
  const utf16 = Buffer.from(`\u{feff}${text}`, "utf16le");
  const body = random.pick([
    utf16,
    swap(utf16),
    Buffer.from(text, "latin1"),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), input.body]),
    Buffer.from(text, "utf16le"),
  ]);
  return { ...input, body };
}

function swap(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}

type ByteMutation = (bytes: Buffer, random: Random) => Buffer;

const BYTE_MUTATIONS: readonly ByteMutation[] = [
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes.subarray(random.below(bytes.length + 1)),
  (bytes, random) => splice(bytes, random, Buffer.alloc(1 + random.below(5), random.below(256))),
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let times = 1 + random.below(5); times > 0 && copy.length > 0; times--) copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  (bytes, random) => {
    const from = random.below(bytes.length + 1);
    return splice(bytes, random, bytes.subarray(from, from + random.below(200)));
  },
];

function splice(bytes: Buffer, random: Random, piece: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

const UNUSUAL_HEADERS: readonly Record<string, string>[] = [
  {},
  { "content-type": "application/json" },
  { "content-type": "text/plain" },
  { "content-type": "multipart/form-data" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-type": 'multipart/form-data; boundary="' },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "text/xml; charset=utf-16" },
  { "content-type": "application/soap+xml" },
  { "content-encoding": "gzip" },
  { "content-encoding": "br" },
  { "content-encoding": "gzip, gzip" },
  { soapaction: "x" },
  { "x-alpinebits-clientprotocolversion": "2024-10" },
  { "x-alpinebits-clientprotocolversion": "x" },
  { authorization: "Basic" },
  { authorization: `Basic ${"A".repeat(3_000)}` },
  { authorization: "Bearer x" },
];

function compress(input: Input, random: Random): void {
  const bomb = random.once(40) ? Buffer.alloc(30_000_000, 0x20) : input.body;
  const packed = gzipSync(bomb, { level: 1 });
  input.body = random.once(5) ? packed.subarray(0, random.below(packed.length)) : packed;
  if (!random.once(10)) input.headers["content-encoding"] = "gzip";
}
