import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";

const MAX_PAGE_BYTES = 60_000;

/** Every page below /dev/docs, by its path. */
async function readPages(): Promise<Map<string, string>> {
  await using service = await startApp();
  const found = new Map<string, string>();
  const open = ["/dev/docs"];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const { statusCode, body } = await service.inject(url);
    assert.equal(statusCode, 200, url);
    found.set(url, body);
    const links = linksOf(body).map((link) => link.split("#")[0]!);
    open.push(...new Set(links.filter((link) => link.startsWith("/dev/docs") && !found.has(link) && !open.includes(link))));
  }
  return found;
}

function linksOf(body: string): string[] {
  return [...body.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
}

describe("documentation at /dev/docs", () => {
  let pages: Map<string, string>;

  before(async () => {
    pages = await readPages();
  });

  test("documentation at /dev/docs has no broken links or anchors", () => {
    assert.ok(pages.size > 40);
    const links = [...pages].flatMap(([from, body]) =>
      linksOf(body).map((link) => ({ from, link: link.startsWith("#") ? from + link : link })),
    );
    const broken = links.filter(({ link }) => {
      const [page = "", anchor] = link.split("#");
      const isMissing = !pages.has(page) || (anchor !== undefined && !pages.get(page)!.includes(`id="${anchor}"`));
      return link.startsWith("/dev/docs") && isMissing;
    });
    assert.deepEqual(broken, []);
    assert.ok(links.some(({ link }) => link === "/dev/channel?example=categories-renamed"));
    assert.deepEqual(
      links.filter(({ link }) => !/^(https?:\/\/|\/|\?theme=)/.test(link)),
      [],
    );
  });

  test("documentation at /dev/docs has no page over the size limit", () => {
    const sizes = [...pages].filter(([url]) => !url.endsWith(".json")).map(([url, body]) => ({ url, bytes: Buffer.byteLength(body) }));
    assert.deepEqual(
      sizes.filter(({ bytes }) => bytes > MAX_PAGE_BYTES),
      [],
    );
  });

  test("adds the path prefix to links in the text", async () => {
    await using service = await startApp({ settings: { PUBLIC_URL: "http://localhost/hotels" } });
    const { body } = await service.inject("/hotels/dev/docs/channel/errors");
    assert.match(body, /See <a href="\/hotels\/dev\/docs\/channel\/credentials">credentials<\/a>/);
  });

  test("returns 404 for unknown documents and sections", async () => {
    await using service = await startApp();
    for (const url of ["/dev/docs/none", "/dev/docs/channel/none", "/dev/docs/toString", "/dev/docs/..%2Fchannel"])
      assert.equal((await service.inject(url)).statusCode, 404, url);
  });

  test("explains the error code that a refused message links to", async () => {
    await using service = await startApp();
    await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "text/xml" }, body: "<OTA_AirAvailRQ/>" });
    const [link] = linksOf((await service.inject("/dev/logs/1")).body).filter((one) => one.includes("#code-"));
    assert.equal(link, "/dev/docs/channel/errors#code-459");
    const { body } = await service.inject("/dev/docs/channel/errors");
    assert.match(body, /<tr id="code-459">\s*<td>459<\/td>/);
  });
});
