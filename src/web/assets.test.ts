import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startApp } from "../../test/support/app.ts";
import { Assets } from "./assets.ts";

test("serves a single stylesheet with every part", async () => {
  const service = await startApp();
  const page = await service.inject("/property");
  const [link, ...more] = [...page.body.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1]!);
  const sheet = await service.inject(link!);
  const fonts = [...sheet.body.matchAll(/url\("([^"]+)"\)/g)].map(([, font]) => service.inject(`/assets/${font}`));
  for (const { headers, rawPayload } of await Promise.all(fonts)) {
    assert.deepEqual([headers["content-type"], rawPayload.subarray(0, 4).toString()], ["font/woff2", "wOF2"]);
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  }
  await service.close();
  assert.equal(fonts.length, 2);
  assert.deepEqual(more, []);
  assert.equal(sheet.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.doesNotMatch(sheet.body, /@import/);
  const parts = new URL("../../public/style/", import.meta.url);
  const withoutUrls = (text: string) => text.replaceAll(/url\("[^"]+"\)/g, "");
  for (const name of readdirSync(parts))
    assert.ok(withoutUrls(sheet.body).includes(withoutUrls(readFileSync(new URL(name, parts), "utf8"))), name);
});

test("changes the name of a stylesheet if any of its parts changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "assets-"));
  mkdirSync(join(folder, "style"));
  writeFileSync(join(folder, "app.css"), '@layer base;\n@import "style/base.css" layer(base);\n');
  const nameWith = (part: string) => {
    writeFileSync(join(folder, "style", "base.css"), part);
    return new Assets(pathToFileURL(`${folder}/`)).path("app.css").text;
  };
  assert.equal(nameWith("a {}\n"), nameWith("a {}\n"));
  assert.notEqual(nameWith("a {}\n"), nameWith("b {}\n"));
  rmSync(folder, { recursive: true });
});
