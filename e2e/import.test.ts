import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { makeProperty } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const PROPERTIES = 300;
const CATEGORIES = 5;

describe("a new user", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite());
  });

  test("a new user sets up 300 properties and 1,500 categories from two files in seven steps", async () => {
    let steps = 0;
    const press = async (role: "link" | "button", name: string | RegExp) => {
      steps++;
      await page.getByRole("main").getByRole(role, { name }).first().click();
    };
    const choose = (name: string, text: string) =>
      page.getByLabel("File", { exact: true }).setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });
    await page.goto(`${origin}/property`);
    await press("link", "Import");
    await choose("hotels.csv", propertyFile());
    await press("button", "Upload and preview");
    await page.getByText("300 new properties.").waitFor();
    await press("button", "Import 300 properties");
    await page.getByRole("heading", { name: /imported/ }).waitFor();
    await press("link", "All imports");
    await choose("rooms.csv", categoryFile());
    await press("button", "Upload and preview");
    await page.getByText("1,500 new categories.").waitFor();
    await press("button", "Import 1,500 categories");
    await page.getByRole("heading", { name: /imported/ }).waitFor();
    await press("link", "View categories");
    await page.getByText("1–50 of 1,500").waitFor();
    assert.equal(steps, 7);
  });
});

/** Returns a CSV file with semicolons, as a German Excel saves it. */
function propertyFile(): string {
  const rows = Array.from({ length: PROPERTIES }, (_, index) => `H${index};Hôtel ${index};active;Merano;IT;Europe/Rome;EUR`);
  return ["Code;Name;Status;City;Country;Time zone;Currency", ...rows].join("\r\n");
}

function categoryFile(): string {
  const rows = Array.from({ length: PROPERTIES }, (_, hotel) =>
    Array.from({ length: CATEGORIES }, (__, index) => `H${hotel},C${index},Category ${index},${5 + index}`),
  );
  return ["Property,Code,Name,Number of rooms", ...rows.flat()].join("\r\n");
}

describe("a bulk edit", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  test("a bulk edit can be made and undone using only the keyboard", async () => {
    await page.goto(`${origin}/property`);
    const press = async (role: "button" | "checkbox", name: string, key = "Enter") => {
      await page.getByRole(role, { name }).focus();
      await page.keyboard.press(key);
    };
    await press("checkbox", "Seaside", "Space");
    await press("button", "Edit selected");
    await page.getByLabel("Status").focus();
    await page.keyboard.press("I");
    await press("button", "Show preview");
    await page.getByText("1 changed property.").waitFor();
    await press("button", "Import 1 property");
    await page.getByRole("button", { name: "Undo the import" }).waitFor();
    assert.equal(await statusOf("SEA"), "inactive");
    await press("button", "Undo the import");
    await page.getByRole("heading", { name: /undone/ }).waitFor();
    assert.equal(await statusOf("SEA"), "active");
  });

  async function statusOf(code: string): Promise<string> {
    return (await page.request.get(`${origin}/property/${code}?format=json`)).json().then(({ status }) => status);
  }
});

async function fill(service: TestApp): Promise<void> {
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  await makeProperty(service, { code: "SEA", name: "Seaside" });
}
