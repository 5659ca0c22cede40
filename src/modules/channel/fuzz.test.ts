import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type Channel, day, openChannel } from "../../../test/support/channel.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { requestOfExample } from "./example-request.ts";
import { messages } from "./messages/index.ts";

const RUNS = 2_000;
/** Of the processor, so that a busy machine fails nobody. */
const MOST_MS = 1_000;

/** Pieces that are put into messages: markup, numbers and words that are wrong at many places. */
const SCRAPS = [
  "<",
  ">",
  "&",
  "&#0;",
  "&x;",
  "]]>",
  "<!DOCTYPE a>",
  "<![CDATA[",
  "<!--",
  "<?x?>",
  '"',
  "'",
  "=",
  "\0",
  "\ud800",
  "\ufffe",
  " ",
  "-1",
  "0",
  "1e9",
  "99999999999999999999",
  "NaN",
  "null",
  "__proto__",
  "constructor",
  "2027-02-30",
  "9999-12-31",
  "0000-00-00",
  "true",
  "CompleteSet",
  "</Inventories>",
  "<Inventory/>",
  "<Rate/>",
  "<RatePlan/>",
  "<GuestRoom/>",
  'HotelCode=""',
  ' Start="x"',
  "é",
  "\u{1f600}",
  "Remove",
  "Overlay",
  "--",
  "\r\n--roomrack-form-boundary",
  "Content-Disposition",
  "%",
  "+",
  "\n\n",
] as const;

type Change = { at: number; cut: number; put: string };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
  put: fc.oneof(fc.constantFrom(...SCRAPS), fc.string({ maxLength: 8 })),
});

const HEADERS: readonly Record<string, string>[] = [
  {},
  { "content-type": "application/json" },
  { "content-type": "multipart/form-data; boundary=" },
  { "content-type": "multipart/form-data; boundary=roomrack-form-boundary" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "text/xml; charset=utf-16", soapaction: '""' },
  { "content-type": "application/soap+xml" },
  { "x-alpinebits-clientprotocolversion": "1999-01" },
  { "content-encoding": "gzip" },
  { authorization: "Basic !!!" },
];

function applyChange(bytes: Buffer, { at, cut, put }: Change): Buffer {
  const from = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(put), bytes.subarray(from + cut)]);
}

/** What must hold of every answer. */
async function judge(channel: Channel, body: Buffer, headers: Record<string, string>): Promise<void> {
  const start = process.cpuUsage();
  const { status, text, receipt } = await channel.post({ body, headers });
  const { user, system } = process.cpuUsage(start);
  assert.ok((user + system) / 1_000 < MOST_MS, "the answer took too long");
  assert.ok(receipt, "it is not in the log");
  assert.notEqual(receipt.verdict.outcome, "failed", String(channel.recorded.at(-1)));
  if (status === 500) assert.match(text, /<soap:Fault><faultcode>soap:Client/);
  else assert.ok([200, 400, 413, 415].includes(status), String(status));
  const { outcome } = receipt.verdict;
  if (outcome !== "ok" && outcome !== "warnings") assert.equal(receipt.changedNights, 0);
}

test("no changed message makes the channel fail, hang, or store what it refuses", async () => {
  const { database, remove } = await openFresh("SQLite");
  try {
    const channel = openChannel(database);
    const { code: hotel } = await channel.hotel();
    const codes = { hotel, category: "DBL", plan: "BAR", currency: "EUR", day };
    const requests = messages.flatMap(({ examples }) => examples.map((example) => requestOfExample(example, codes)));
    const property = fc.asyncProperty(
      fc.constantFrom(...requests),
      fc.array(change, { maxLength: 4 }),
      fc.record({
        headers: fc.option(fc.constantFrom(...HEADERS), { freq: 5 }),
        zip: fc.boolean(),
        cut: fc.option(fc.nat(400), { freq: 8 }),
      }),
      async (request, changes, { headers, zip, cut }) => {
        const changed = changes.reduce(applyChange, Buffer.from(request.body)).subarray(0, cut ?? undefined);
        const sent = headers ?? (zip ? { ...request.headers, "content-encoding": "gzip" } : request.headers);
        await judge(channel, headers === null && zip ? gzipSync(changed) : changed, sent);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  } finally {
    await remove();
  }
});
