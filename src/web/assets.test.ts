import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startApp } from "../../test/support/app.ts";
import { StaticAssets } from "./assets.ts";
import { compactCss, compactScript } from "./compact.ts";

test("serves all style sheets in a few files", async () => {
  const service = await startApp();
  const page = await service.inject("/property");
  const links = [...page.body.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1]!);
  const sheets = await Promise.all(links.map((link) => service.inject(link)));
  const all = sheets.map(({ body }) => body).join("\n");
  const fonts = [...all.matchAll(/url\("([^"]+)"\)/g)].map(([, font]) => service.inject(`/assets/${font}`));
  for (const { headers, rawPayload } of await Promise.all(fonts)) {
    assert.deepEqual([headers["content-type"], rawPayload.subarray(0, 4).toString()], ["font/woff2", "wOF2"]);
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  }
  await service.close();
  assert.equal(fonts.length, 2);
  assert.equal(sheets.length, 3);
  for (const { headers } of sheets) assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  assert.doesNotMatch(all, /@import/);
  const parts = new URL("../../public/style/", import.meta.url);
  const withoutUrls = (text: string) => text.replaceAll(/url\("[^"]+"\)/g, "");
  for (const name of readdirSync(parts))
    assert.ok(withoutUrls(all).includes(withoutUrls(compactCss(readFileSync(new URL(name, parts), "utf8"))).slice(0, -1)), name);
});

test("removes only comments and insignificant whitespace", () => {
  assert.equal(
    compactCss(
      '/* a */\n.a :is(b, c) > d {\n  width: calc(1rem + 2px);\n  content: "▲ " / "";\n}\n@media (width < 40rem) {\n  a:hover {\n    b: c;\n  }\n}\n',
    ),
    '.a :is(b,c) > d{width:calc(1rem + 2px);content:"▲ " / ""}@media (width < 40rem){a:hover{b:c}}',
  );
  assert.equal(
    compactScript('/** Says a.\n * More. */\nfunction a() {\n  // Why.\n\n  return "// no comment"; /* kept */\n}\n'),
    'function a() {\nreturn "// no comment"; /* kept */\n}\n',
  );
});

test("changes the name of a style sheet if any of its parts changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "assets-"));
  mkdirSync(join(folder, "style"));
  writeFileSync(join(folder, "app.css"), '@layer base;\n@import "style/base.css" layer(base);\n');
  const nameWith = (part: string) => {
    writeFileSync(join(folder, "style", "base.css"), part);
    return new StaticAssets(pathToFileURL(`${folder}/`)).path("app.css").text;
  };
  assert.equal(nameWith("a {}\n"), nameWith("a {}\n"));
  assert.notEqual(nameWith("a {}\n"), nameWith("b {}\n"));
  rmSync(folder, { recursive: true });
});
