import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { HtmlValidate } from "html-validate";
import { startApp, type TestApp } from "./support/app.ts";
import { AMOUNTS, fillService } from "./support/records.ts";
import { nameOf, openVisit, pageRoutes, type Visit, visitsOf } from "./support/visits.ts";

/** Rules of the HTML standard and for accessibility, except one stylistic rule. */
const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: { "no-inline-style": "error", "prefer-native-element": "off" },
});

for (const amount of AMOUNTS) {
  describe(`pages (amount of data: ${amount})`, () => {
    let service: TestApp;
    let visits: Visit[] = [];
    const answers = new Map<Visit, LightMyRequestResponse>();

    before(async () => {
      service = await startApp();
      await fillService(service, amount);
      visits = await visitsOf(service, amount);
      for (const visit of visits) answers.set(visit, await openVisit(service, visit));
    });
    after(() => service.close());

    const everyPage = (check: (page: LightMyRequestResponse, name: string) => void) => {
      assert.ok(visits.length > 30);
      for (const [visit, page] of answers) check(page, nameOf(visit));
    };

    test("pages have the expected status", () => {
      const wrong = visits.filter((visit) => answers.get(visit)?.statusCode !== visit.status);
      assert.deepEqual(
        wrong.map((visit) => `${answers.get(visit)?.statusCode}: ${nameOf(visit)}`),
        [],
      );
      everyPage(({ headers }, name) => assert.equal(headers["content-type"], "text/html; charset=utf-8", name));
    });

    test("pages are valid HTML", async () => {
      const faults: string[] = [];
      for (const [visit, page] of answers) {
        const { results } = await validator.validateString(page.body);
        for (const { messages } of results) {
          for (const { ruleId, message, line } of messages) {
            faults.push(`${nameOf(visit)}: ${ruleId}: ${message}\n    ${page.body.split("\n")[line - 1]?.trim().slice(0, 200)}`);
          }
        }
      }
      assert.equal(faults.join("\n"), "");
    });

    test("pages have one h1, one main, a language and a title", () => {
      everyPage(({ body, statusCode }, name) => {
        assert.equal(count(body, /<h1[\s>]/g), 1, `h1 of ${name}`);
        assert.equal(count(body, /<main[\s>]/g), 1, `main of ${name}`);
        assert.match(body, /<html lang="en"/, name);
        const [, title = ""] = /<title>([^<]*)<\/title>/.exec(body) ?? [];
        assert.match(title, /Roomrack$/, name);
        const refused = statusCode >= 400 || body.includes("There is a problem");
        assert.equal(title.startsWith("Error: "), refused, `title ${title} of ${name}`);
      });
    });

    test("pages have no broken links within the page", () => {
      everyPage(({ body }, name) => {
        for (const [, id] of body.matchAll(/href="#([^"]*)"/g)) assert.ok(body.includes(` id="${id}"`), `#${id} of ${name}`);
      });
    });

    test("pages give each table a name", () => {
      everyPage(({ body }, name) => {
        for (const [, region = "", table = "", rows = ""] of body.matchAll(/(<[^>]*>)\s*(<table[^>]*>)([\s\S]*?)<\/table>/g))
          assert.ok((region + table).includes("aria-label") || rows.includes("<caption"), `${table} of ${name}`);
      });
    });

    test("pages work without JavaScript", () => {
      everyPage(({ body }, name) => {
        assert.doesNotMatch(body, /\son[a-z]+="|\sstyle="|javascript:|<noscript|<style/i, name);
        assert.equal(count(body, /<script/g), count(body, /<script src="[^"]*" type="module"/g), `scripts of ${name}`);
        for (const [form] of body.matchAll(/<form[\s\S]*?<\/form>/g)) assert.match(form, /<button type="submit"/, `a form of ${name}`);
      });
    });
  });
}

test("pages that refuse access are valid HTML", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: "correct-horse-battery" } });
  const ask = (password: string) =>
    service.inject({ url: "/property", headers: { accept: "text/html", authorization: `Basic ${btoa(`admin:${password}`)}` } });
  const statuses: number[] = [];
  for (let tries = 0; tries < 7; tries++) {
    const { statusCode, body } = await ask("wrong");
    statuses.push(statusCode);
    assert.deepEqual((await validator.validateString(body)).results, []);
    assert.equal(count(body, /<h1[\s>]/g), 1);
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
});

test("these tests visit every registered page", async () => {
  await using service = await startApp();
  await fillService(service, "little");
  const visited = new Set((await visitsOf(service, "little")).map(({ route }) => route));
  assert.deepEqual(
    (await pageRoutes(service)).filter((route) => !visited.has(route)),
    [],
  );
});

function count(body: string, pattern: RegExp): number {
  return body.match(pattern)?.length ?? 0;
}
