import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { countMessage, rateMessage } from "../test/support/hotel.ts";
import { addPerson, PERSON_PASSWORD, TWO_ROLES } from "../test/support/sign-in.ts";

const YEAR = 'Start="2026-11-20" End="2027-11-19"';
const COMPLETE_SET = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';

describe("connecting a new sender through the web pages", () => {
  let service: TestApp;
  let origin: string;

  before(async () => {
    service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "admin");
    origin = await service.listen();
  });
  after(() => service.close());

  for (const javaScriptEnabled of [true, false]) {
    test(`completes the setup checklist of a new connection ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const property = javaScriptEnabled ? "ALP" : "BET";
      const name = `pms-${property}`;
      const context = await openContext({ javaScriptEnabled });
      const page = await context.newPage();
      await signIn(page, `${origin}/property/new`);
      await createHotel(page, property);
      const vendor = await createConnection(page, { origin, name, property });

      assert.match(await vendor(countsOf(property, "DOUBLE")), /Code="402"/);
      await page.goto(`${origin}/dev/senders/${name}`);
      assert.equal(await checklist(page), "First connection: 1 of 5 steps");
      assert.match(await textOf(page, "Refusals by cause"), /402 ?1.*2026.*Room type code not found for this hotel \(DOUBLE\)/);

      await page.getByLabel("Our code for DOUBLE").fill("DBL");
      await press(page, "Map DOUBLE");
      assert.match(await textOf(page, "Code mapping"), /DOUBLE ?category.*DBL/);

      assert.match(await vendor(countsOf(property, "DOUBLE")), /<Success\/>/);
      assert.match(await vendor(countsOf(property, "SGL")), /Code="402"/);
      await page.reload();
      await createUnknown(page, "SGL");
      assert.match(await vendor(countsOf(property, "SGL")), /<Success\/>/);
      assert.match(await vendor(pricesOf(property)), /<Success\/>/);
      await page.goto(`${origin}/dev/senders/${name}`);
      assert.equal(await checklist(page), "First connection: 4 of 5 steps");
      assert.match(await vendor(countsOf(property, "DOUBLE", "SGL").replace("<Inventories", `${COMPLETE_SET}<Inventories`)), /<Success\/>/);
      await page.reload();
      assert.equal(await page.getByText("First connection complete").count(), 1);
      await context.close();
    });
  }
});

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("User name").fill("anna");
  await page.getByLabel("Password").fill(PERSON_PASSWORD);
  await press(page, "Sign in");
}

async function createHotel(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Name", { exact: true }).fill("Alpenblick");
  await page.getByLabel("Time zone").selectOption("Europe/Rome");
  await press(page, "Create property");
  await Promise.all([page.waitForEvent("load"), page.getByRole("link", { name: "New category" }).click()]);
  await page.getByLabel("Code", { exact: true }).fill("DBL");
  await page.getByLabel("Name", { exact: true }).fill("Double room");
  await page.locator('[name="rooms"]').fill("10");
  await press(page, "Create category");
}

/** Creates the category for an unknown code after checking the preview. */
async function createUnknown(page: Page, code: string): Promise<void> {
  const unknown = page.getByRole("row", { name: new RegExp(`^${code} `) });
  await Promise.all([page.waitForEvent("load"), unknown.getByRole("link", { name: "Create" }).click()]);
  assert.match(await page.getByRole("row", { name: new RegExp(`^${code} `) }).innerText(), /Category/);
  await press(page, "Create");
}

type Connection = { origin: string; name: string; property: string };

/** Returns a function that posts a message as the page instructs and returns the response. */
async function createConnection(page: Page, { origin, name, property }: Connection): Promise<(body: string) => Promise<string>> {
  await page.goto(`${origin}/dev/senders`);
  await page.locator('form [name="name"]').fill(name);
  await page.locator('form [name="properties"]').fill(property);
  await press(page, "Create connection");
  const line =
    (await page
      .locator("pre", { hasText: /^curl -u/ })
      .first()
      .textContent()) ?? "";
  const [, credentials = "", url = ""] = /^curl -u '?([^' ]+)'? .* '?(http:[^' ]+)'?$/.exec(line) ?? [];
  assert.equal(url, `${origin}/channel`);
  const headers = {
    "content-type": "application/xml",
    authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
  return async (body) => (await fetch(url, { method: "POST", headers, body })).text();
}

function countsOf(property: string, ...categories: readonly string[]): string {
  const lines = categories.map((category) => ({ control: `${YEAR} InvTypeCode="${category}"`, counts: [[2, 5]] as const }));
  return countMessage(...lines).replace('"ALP"', `"${property}"`);
}

function pricesOf(property: string): string {
  const control = `${YEAR} InvTypeCode="DOUBLE" RatePlanCode="BAR"`;
  const amounts = ['NumberOfGuests="2" AmountAfterTax="120"'];
  return rateMessage({ control, amounts }).replace('"ALP"', `"${property}"`);
}

async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name, exact: true }).click()]);
}

async function checklist(page: Page): Promise<string> {
  return (await page.getByRole("heading", { name: /^First connection/ }).textContent()) ?? "";
}

async function textOf(page: Page, heading: string): Promise<string> {
  const section = page.locator("section", { has: page.getByRole("heading", { name: heading, exact: true }) });
  return ((await section.textContent()) ?? "").replaceAll(/\s+/g, " ");
}
