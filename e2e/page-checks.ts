import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { type Amount, fillService } from "../test/support/records.ts";
import { until } from "../test/support/until.ts";
import { dependsOnAmount, nameOf, openVisit, type Visit, visitsOf } from "../test/support/visits.ts";
import { CLIPPED_TABLES, ENLARGE_TEXT, FURTHEST_RIGHT, PLANT_VIOLATION, sendForm, SMALL_TARGETS, SQUEEZED_TEXTS } from "./in-page.ts";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };

const PAGES_AT_ONCE = 3;

/** Added as an init script, so that Chromium caches its compiled code. This makes the checks a fifth faster. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const ALL_RULES: RunOptions["runOnly"] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules whose results depend on the colour scheme. */
const COLOUR_RULES: RunOptions["runOnly"] = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

type Look = (page: Page, name: string, visit: Visit) => Promise<void>;

type AxePass = { viewport: typeof DESKTOP; colorScheme: "light" | "dark"; rules: RunOptions["runOnly"] };

/** Both colour schemes and widths. Rules that ignore colours run only in light mode. Every element is visible at one of these widths. */
const ALL_PASSES: readonly AxePass[] = [DESKTOP, PHONE].flatMap((viewport): AxePass[] => [
  { viewport, colorScheme: "light", rules: ALL_RULES },
  { viewport, colorScheme: "dark", rules: COLOUR_RULES },
]);
const LIGHT_DESKTOP = ALL_PASSES[0]!;

/** For the second and later pages of a route in the service with little data. Services with more data check one page per route. */
const SHORT_PASSES: readonly AxePass[] = [LIGHT_DESKTOP, { viewport: PHONE, colorScheme: "dark", rules: COLOUR_RULES }];

export function testPages(amount: Exclude<Amount, "nothing">): void {
  describe(`pages in Chromium (amount of data: ${amount})`, () => {
    let service: TestApp;
    let origin: string;
    let visits: Visit[] = [];

    before(async () => {
      service = await startApp();
      await fillService(service, amount);
      const all = await visitsOf(service, amount);
      visits = amount === "little" ? await withNewMarkup(service, all) : all.filter(dependsOnAmount);
      origin = await service.listen();
    });
    after(() => service.close());

    const eachPage = async (context: BrowserContext, look: Look, chosen: readonly Visit[] = visits) => {
      assert.ok(chosen.length > 15);
      const remaining = chosen.values();
      const visitAll = async () => {
        const page = await context.newPage();
        for (const visit of remaining) {
          await open(page, origin, visit);
          await look(page, nameOf(visit), visit);
        }
      };
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, visitAll));
      await context.close();
    };

    test("pages pass axe checks, fit small screens, have large click targets, and cause no CSP violations or script errors", async () => {
      const faults = new Set<string>();
      const context = await openContext({ viewport: DESKTOP });
      await context.addInitScript(AXE);
      context.on("requestfailed", (request) => faults.add(`${request.url()} failed`));
      context.on("response", (response) => {
        if (response.request().resourceType() !== "document" && response.status() >= 400)
          faults.add(`${response.url()}: ${response.status()}`);
      });
      context.on("weberror", (error) => faults.add(`${error.page()?.url()}: ${error.error()}`));
      const known = await countReports(origin);
      await plantViolation(context, origin);
      assert.equal(await reportsAfter(origin, known.csp), known.csp + 1, "the planted violation is reported");
      const seen = new Set<string>();
      const passesFor = (route: string) => {
        if (seen.has(route)) return amount === "little" ? SHORT_PASSES : [];
        return amount === "little" ? ALL_PASSES : [LIGHT_DESKTOP];
      };
      await eachPage(context, async (page, name, { route }) => {
        const passes = passesFor(route);
        seen.add(route);
        for (const fault of [...(await axeFaults(page, passes)), ...(await layoutFaults(page))]) faults.add(`${name}, ${fault}`);
      });
      const last = await openContext();
      await plantViolation(last, origin);
      assert.equal(await reportsAfter(origin, known.csp + 1), known.csp + 2, "only the two planted violations were reported");
      await last.close();
      assert.equal((await countReports(origin)).js, known.js, "script errors");
      assert.equal([...faults].join("\n"), "");
    });

    test("pages work without JavaScript and don't show buttons that need it", async () => {
      const faults: string[] = [];
      const context = await openContext({ viewport: DESKTOP, javaScriptEnabled: false });
      const look = async (page: Page, name: string) => {
        assert.equal(await page.locator("h1:visible").count(), 1, name);
        const useless = await page.locator("button[type=button]:not([popovertarget]):visible").count();
        if (useless > 0) faults.push(`${name} has ${useless} buttons that need JavaScript`);
      };
      await eachPage(context, look, amount === "little" ? visits : oneOfEachRoute(visits));
      assert.equal(faults.join("\n"), "");
    });
  });
}

/** Returns one page of each route, and any page with an element that no earlier page has. */
async function withNewMarkup(service: TestApp, visits: readonly Visit[]): Promise<Visit[]> {
  const known = new Set<string>();
  const chosen: Visit[] = [];
  for (const visit of visits) {
    const count = known.size;
    for (const part of [visit.route, ...elementsOf((await openVisit(service, visit)).body)]) known.add(part);
    if (known.size > count) chosen.push(visit);
  }
  return chosen;
}

/** Returns start tags without attribute values, except class, type and role, which affect the appearance or the meaning. */
function elementsOf(html: string): string[] {
  const tags = html.match(/<[a-z](?:"[^"]*"|[^">])*>/g) ?? [];
  return tags.map((tag) => tag.replaceAll(/(?<= (?!class=|type=|role=)[\w-]+)="[^"]*"/g, ""));
}

function oneOfEachRoute(visits: readonly Visit[]): Visit[] {
  return visits.filter(({ route }, index) => visits.findIndex((visit) => visit.route === route) === index);
}

async function open(page: Page, origin: string, { url, post, to, status }: Visit): Promise<void> {
  const opened = await page.goto(origin + url);
  if (post === undefined) return void assert.equal(opened?.status(), status, url);
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  const [sent] = await Promise.all([answer, page.waitForEvent("load"), page.evaluate(sendForm(post, to))]);
  assert.equal(sent.status(), status, url);
}

async function axeFaults(page: Page, passes: readonly AxePass[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { viewport, colorScheme, rules } of passes) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    for (const fault of await axe(page, rules)) faults.push(`${colorScheme}, ${viewport.width}: ${fault}`);
  }
  return faults;
}

async function axe(page: Page, runOnly: RunOptions["runOnly"]): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${help}: ${html.slice(0, 160)}`));
}

/** Checks the layout at each width, and with text at 200%. */
async function layoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const viewport of [PHONE, NARROW, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const target of await page.evaluate<string[]>(SMALL_TARGETS)) faults.push(`${viewport.width}: ${target}`);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (width > viewport.width) faults.push(`${width} wide on ${viewport.width}: ${await page.evaluate<string>(FURTHEST_RIGHT)}`);
  }
  for (const table of await page.evaluate<string[]>(CLIPPED_TABLES)) faults.push(`clips a table: ${table}`);
  await page.evaluate(ENLARGE_TEXT);
  if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
    faults.push(`too wide with text at 200 %: ${await page.evaluate<string>(FURTHEST_RIGHT)}`);
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const text of await page.evaluate<string[]>(SQUEEZED_TEXTS)) faults.push(`${viewport.width}, large text: ${text}`);
  }
  return faults;
}

async function countReports(origin: string): Promise<{ csp: number; js: number }> {
  const count = async (source: string) => {
    const answer = await fetch(`${origin}/tools/errors?format=json&source=${source}`);
    return ((await answer.json()) as { errors: unknown[] }).errors.length;
  };
  return { csp: await count("csp"), js: await count("js") };
}

/** Waits until there are more than `known` CSP reports, and returns how many there are. */
async function reportsAfter(origin: string, known: number): Promise<number> {
  return until("a report", async () => {
    const { csp } = await countReports(origin);
    return csp > known && csp;
  });
}

async function plantViolation(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/property`);
  await page.evaluate(PLANT_VIOLATION);
}
