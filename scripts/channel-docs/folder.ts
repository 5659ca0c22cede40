import { type Example, exampleRequest } from "../../src/modules/channel/example.ts";
import { publishedMessages } from "../../src/modules/channel/messages/index.ts";
import { jsonValues } from "../../src/modules/channel/messages/json-values/message.ts";
import { valuesSchema } from "../../src/modules/channel/messages/json-values/schema.ts";
import { presetExamples } from "../../src/modules/channel/profiles/presets.ts";
import { CODES } from "./codes.ts";

const COLUMNS = ["file", "repo", "path", "commit", "licence", "kind", "expected", "profile"];

/** Returns the contents of the files in examples/, by path. */
export function buildExampleFiles(): ReadonlyMap<string, string> {
  const all = [
    ...publishedMessages.flatMap((message) => message.examples.map((example) => ({ source: sourceOf(message.root), example }))),
    ...presetExamples.map((example) => ({ source: presetSourceOf(example), example })),
  ];
  const rows = all.map(({ source, example }) => [
    fileOf(example),
    "roomrack",
    source,
    "",
    "Apache-2.0",
    "request",
    describeExpectation(example),
    example.profile?.preset ?? "",
  ]);
  const sources = [COLUMNS, ...rows].map((row) => `${row.join("\t")}\n`).join("");
  const schema = `${JSON.stringify(valuesSchema(), undefined, 2)}\n`;
  return new Map([
    ["SOURCES.tsv", sources],
    ["json/schema.json", schema],
    ...all.map(({ example }) => [fileOf(example), documentOf(example)] as const),
  ]);
}

/** Folders for messages that are not in OpenTravel, by root element. */
const FOLDERS: Readonly<Record<string, string>> = { AvailRateUpdateRQ: "expedia", Transaction: "google" };

/** Returns the path of an example, relative to examples/. */
export function fileOf(example: Example): string {
  const { name, transport = "raw" } = example;
  return `${folderOf(example)}/${name}.${transport === "json" ? "json" : "xml"}`;
}

function folderOf(example: Example): string {
  const { transport = "raw", version, profile } = example;
  if (transport === "alpinebits") return `alpinebits/${version}`;
  if (profile) return "profiles";
  const root = publishedMessages.find(({ examples }) => examples.includes(example))?.root ?? "";
  return FOLDERS[root] ?? { raw: "opentravel", json: "json", soap11: "soap", soap12: "soap" }[transport];
}

/** Returns the message with its SOAP envelope, if any, but without the AlpineBits form. */
export function documentOf(example: Example): string {
  return example.transport === "alpinebits" ? example.xml(CODES) : Buffer.from(exampleRequest(example, CODES).body).toString("utf8");
}

/** Returns the file that defines a message's examples. The folder of `OTA_HotelInvCountNotifRQ` is `inv-count-notif`. */
function sourceOf(root: string): string {
  if (root === jsonValues.root) return "src/modules/channel/messages/json-values/examples.ts";
  const words = root.replace(/^OTA_(Hotel(?!RatePlanRQ))?/, "").replace(/RQ$/, "");
  return `src/modules/channel/messages/${words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}/examples.ts`;
}

function presetSourceOf({ profile }: Example): string {
  return `src/modules/channel/profiles/presets/${profile!.preset}.ts`;
}

/** Returns the value of the `expected` column, which the conformance command reads. */
function describeExpectation({ name, expect, description, stored = STORED[name] }: Example): string {
  if (expect === undefined) return `accept: ${description}${stored === undefined ? "" : ` Stored: ${stored}`}`;
  return expect === "warnings" ? `Success + Warning: ${description}` : `Errors ${expect.refused}: ${description}`;
}

/** The values that the conformance command expects to be stored, by example name. */
const STORED: Readonly<Record<string, string>> = {
  "counts-of-a-week": "count 3",
  "counts-on-weekdays": "DBL=2 on Mon-Thu of two weeks (8 nights), other nights untouched",
  "sold-out": "count 0",
  "out-of-order-and-off-market": "count 30",
  "counts-in-soap": "count 3",
  "freerooms-reset": "clears all availability",
  "open-with-minimum-stay": "DBL/BAR open, min arrival 2",
  "limit-and-stop-sell": "count 10, master closed (CTA/CTD untouched)",
  "closed-to-arrival": "closed to arrival only",
  "booking-window": "advance 1..180 days",
  "amounts-by-guests": "replaces every stored amount",
  "one-amount": "only the 2-guest amount changes, 1-guest amount kept",
  "room-amount": "per-room rate 123.00",
  "extra-guests": "per-room rate 110.00, extra adult 30, extra child 10",
  "stay-pattern": "pattern NYYN",
  "amounts-removed": "stored rates of DBL/BAR removed",
  "json-availability": "DBL=3 on Mon-Tue of two weeks (4 nights), other nights untouched",
  "json-rates-and-restrictions": "2 guests 120.50 EUR",
  "expedia-rooms-rates-restrictions": "count 10, DBL/BAR open, min stay arrival 2, 2 guests 120.50 EUR",
  "categories-empty-list": "removes all categories",
};
