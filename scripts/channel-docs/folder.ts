import { requestOfExample } from "../../src/modules/channel/example-request.ts";
import type { Example } from "../../src/modules/channel/example.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { CODES } from "./examples.ts";

const COLUMNS = ["file", "repo", "path", "commit", "licence", "kind", "expected"];

/** The files of `examples/`, by path. */
export function exampleFolder(): ReadonlyMap<string, string> {
  const all = messages.flatMap((message) => message.examples.map((example) => ({ root: message.root, example })));
  const rows = all.map(({ root, example }) => [
    fileOf(example),
    "roomrack",
    sourceOf(root),
    "",
    "Apache-2.0",
    "request",
    expectationOf(example),
  ]);
  const sources = [COLUMNS, ...rows].map((row) => `${row.join("\t")}\n`).join("");
  return new Map([["SOURCES.tsv", sources], ...all.map(({ example }) => [fileOf(example), documentOf(example)] as const)]);
}

function fileOf({ name, transport = "raw", version }: Example): string {
  const folder = { raw: "opentravel", soap11: "soap", soap12: "soap", alpinebits: `alpinebits/${version}` }[transport];
  return `${folder}/${name}.xml`;
}

/** The message with its SOAP envelope, but without an AlpineBits form. */
function documentOf(example: Example): string {
  return example.transport === "alpinebits" ? example.xml(CODES) : Buffer.from(requestOfExample(example, CODES).body).toString("utf8");
}

/** `OTA_HotelInvCountNotifRQ` is in `inv-count-notif`. */
function sourceOf(root: string): string {
  const words = root.replace(/^OTA_(Hotel(?!RatePlanRQ))?/, "").replace(/RQ$/, "");
  return `src/modules/channel/messages/${words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}/examples.ts`;
}

/** In the syntax of the conformance command. */
function expectationOf({ name, expect, description }: Example): string {
  if (expect === undefined) return `accept: ${description}${STORED[name] === undefined ? "" : ` Stored: ${STORED[name]}`}`;
  return expect === "warnings" ? `Success + Warning: ${description}` : `Errors ${expect.refused}: ${description}`;
}

/** Stored values after each example, in the syntax of the conformance command. */
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
  "amount-of-the-room": "per-room rate 123.00",
  "extra-guests": "per-room rate 110.00, extra adult 30, extra child 10",
  "pattern-of-stays": "pattern NYYN",
  "amounts-removed": "stored rates of DBL/BAR removed",
  "categories-all-gone": "removes all categories",
};
