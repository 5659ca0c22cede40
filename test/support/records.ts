import assert from "node:assert/strict";
import { createPerson } from "../../src/access/people.ts";
import { fillDatabase } from "../../src/cli/seed/fill.ts";
import type { TestApp } from "./app.ts";
import { availMessage, countMessage, makeCategory, makeHotel, makeProperty, postMessage, postXml, rateMessage } from "./hotel.ts";

export type Amount = "nothing" | "little" | "much";
export const AMOUNTS: readonly Amount[] = ["nothing", "little", "much"];

const WEEK = 'Start="2026-11-20" End="2026-11-26"';
const SEED_ARGUMENTS = { properties: 60, categories: 12, plans: 3, nights: 365, errors: 120, messages: 120 };

const HOSTILE = `"><script>alert(1)</script> & 'Ünïcödé' 日本語 ${"Donaudampfschifffahrt".repeat(4)}`;

/** Fills a service through its forms and channel. For "much", also adds the sample data of `npm run seed`. */
export async function fillService(service: TestApp, amount: Amount): Promise<void> {
  if (amount === "nothing") return;
  await makeHotel(service);
  await createPerson(service.database, { name: "anna", role: "editor" }, { actor: "test", at: service.clock.now() });
  await sendMessages(service);
  await causeErrors(service);
  await uploadFiles(service);
  if (amount === "little") return;
  await fillDatabase(service.database, SEED_ARGUMENTS, { now: service.clock.now(), progress: () => {} });
  await makeHostile(service);
}

/** Uploads a file whose preview has changes, one whose preview has errors, and one with unknown columns. */
async function uploadFiles(service: TestApp): Promise<void> {
  for (const text of [
    `code,name,city\nALP,Alpenblick,Meran\n${HOSTILE.length},"${HOSTILE.slice(0, 40).replaceAll('"', '""')}",\n`,
    `code,name,country\nALP,,XX\n"${"x".repeat(80)}",Long,IT\n`,
    'code,name,"<Stadt>"\nALP,Alpenblick,"<b>"\n',
  ]) {
    const { statusCode, body } = await service.visitor().post("/tools/import", { action: "upload", text });
    assert.equal(statusCode, 303, body);
  }
}

async function sendMessages(service: TestApp): Promise<void> {
  const double = `${WEEK} InvTypeCode="DBL"`;
  await postMessage(service, countMessage({ control: double, counts: [[2, 7]] }));
  await postMessage(service, countMessage({ control: 'Start="2026-11-22" End="2026-11-23" InvTypeCode="DBL"', counts: [[2, 0]] }));
  await postMessage(
    service,
    rateMessage({ control: `${double} RatePlanCode="BAR"`, amounts: ['NumberOfGuests="2" AmountAfterTax="123.45"'] }),
  );
  await postMessage(service, availMessage({ control: double, content: '<RestrictionStatus Status="Close"/>' }));
  await postXml(service, countMessage({ control: `${WEEK} InvTypeCode="NONE"`, counts: [[2, 1]] }));
  await postXml(service, "<OTA_HotelInvCountNotifRQ");
}

async function causeErrors(service: TestApp): Promise<void> {
  await service.inject("/no/such/page?with=query");
  await service.inject({ method: "POST", url: "/channel", payload: "" });
  for (const kind of ["not-found", "http", "template", "value", "unexpected"]) {
    const visitor = service.visitor();
    assert.ok((await visitor.post("/dev", { action: "raise", kind })).statusCode >= 400);
  }
  await report(service, "/_errors/log", {
    message: "rooms is undefined",
    class: "TypeError",
    stack: "TypeError\n  at save (/assets/app.js:1:2)",
  });
  await report(service, "/_errors/csp", {
    "csp-report": { "document-uri": "http://localhost/", "effective-directive": "style-src-elem", "blocked-uri": "inline" },
  });
  await service.errors.list({}, { before: undefined, limit: 1 });
}

async function report(service: TestApp, url: string, body: object): Promise<void> {
  const type = url.endsWith("csp") ? "application/csp-report" : "application/json";
  const { statusCode } = await service.inject({ method: "POST", url, headers: { "content-type": type }, payload: JSON.stringify(body) });
  assert.equal(statusCode, 204);
}

async function makeHostile(service: TestApp): Promise<void> {
  const code = "L".repeat(64);
  await makeProperty(service, {
    code,
    name: HOSTILE.slice(0, 128),
    city: HOSTILE.slice(0, 90),
    description: HOSTILE,
    notes: HOSTILE,
    groupName: HOSTILE.slice(0, 64),
  });
  await makeCategory(service, {
    hotelCode: code,
    code,
    name: HOSTILE.slice(0, 200),
    description: HOSTILE,
    rooms: "9999",
    roomNames: "101, 102, 103",
  });
  const control = `${WEEK} InvTypeCode="${code}"`;
  const send = (xml: string) => postMessage(service, xml.replaceAll('HotelCode="ALP"', `HotelCode="${code}"`));
  await send(countMessage({ control, counts: [[2, 9999]] }));
  await send(rateMessage({ control: `${control} RatePlanCode="${code}"`, amounts: ['NumberOfGuests="2" AmountAfterTax="1234567.89"'] }));
  await postXml(service, `<${"x".repeat(300)}/>`, HOSTILE);
  await service.inject(`/${"very-long-segment".repeat(60)}?q=${encodeURIComponent(HOSTILE)}`);
}
