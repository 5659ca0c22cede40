import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

const LED: readonly (readonly [url: string, links: readonly string[]])[] = [
  ["/property/NONE", ["/property", "/"]],
  ["/category/x/edit?a=1", ["/category", "/"]],
  ["/rates?property=NONE", ["/rates", "/"]],
  ["/dev/logs/999999", ["/dev", "/"]],
  ["/tools/nothing", ["/tools", "/"]],
  ["/propety", ["/"]],
  ["/home/", ["/"]],
  ["//property", ["/"]],
];

test("The page of an error leads to the list that its address lies below, and home", async () => {
  await using service = await startApp();
  for (const [url, links] of LED) {
    const { statusCode, body } = await service.inject(url);
    assert.equal(statusCode, 404, url);
    assert.deepEqual(linksOf(body), links, url);
    assert.equal(body.includes(`<a href="${links[0]}" aria-current="page">`), links.length > 1, url);
  }
});

test("Its links keep the prefix of the service", async () => {
  await using service = await startApp({ settings: { PUBLIC_URL: "http://localhost/rack" } });
  const { body } = await service.inject("/rack/property/NONE");
  assert.deepEqual(linksOf(body), ["/rack/property", "/rack/"]);
});

function linksOf(body: string): string[] {
  const [main = ""] = /<main[\s\S]*<\/main>/.exec(body) ?? [];
  return [...main.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);
}
