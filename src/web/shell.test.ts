import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { addPerson, signInByForm, TWO_ROLES } from "../../test/support/sign-in.ts";

describe("the theme switch", () => {
  test("redirects to the URL without the theme parameter", async () => {
    await using service = await startApp();
    for (const [asked, to] of [
      ["/property?theme=dark", "/property"],
      ["/tools/errors?q=a%26b+%C3%BC&theme=dark&view=groups", "/tools/errors?q=a%26b+%C3%BC&view=groups"],
      ["/tools/errors?from=never&theme=dark", "/tools/errors?from=never"],
      ["/property?q=why?&size=25&theme=dark", "/property?q=why%3F&size=25"],
    ] as const) {
      const answer = await service.inject(asked);
      assert.deepEqual([answer.statusCode, answer.headers.location], [303, to]);
      const [{ name, value } = { name: "", value: "" }] = answer.cookies as { name: string; value: string }[];
      assert.match((await service.inject({ url: to, headers: { cookie: `${name}=${value}` } })).body, /data-theme="dark"/);
    }
  });

  test("treats HEAD like GET", async () => {
    await using service = await startApp();
    for (const url of ["/property?theme=dark", "/tools?theme=light&format=page"]) {
      const [get, head] = [await service.inject(url), await service.inject({ method: "HEAD", url })];
      assert.deepEqual([head.statusCode, head.headers.location], [303, get.headers.location]);
    }
  });

  test("keeps a query with a second question mark", async () => {
    await using service = await startApp();
    for (const url of ["/property?q=why?&size=25", "/nope?q=why?&size=25"])
      assert.match((await service.inject(url)).body, /href="\?q=why%3F&amp;size=25&amp;theme=dark"/, url);
  });

  test("keeps the path prefix even if a proxy strips it", async () => {
    await using service = await startApp({ settings: { PUBLIC_URL: "https://rooms.example.com/rack", ADMIN_PASSWORD: "long-enough-1" } });
    const authorization = `Bearer long-enough-1`;
    for (const url of ["/rack/property?theme=dark", "/property?theme=dark"])
      assert.equal((await service.inject({ url, headers: { authorization } })).headers.location, "/rack/property");
  });

  test("does not redirect errors or posted forms", async () => {
    await using service = await startApp();
    for (const url of ["/no/such/page?theme=dark", "/property/NONE?theme=dark"]) {
      const { statusCode, body } = await service.inject(url);
      assert.equal(statusCode, 404, url);
      assert.match(body, /data-theme="dark"/);
    }
    for (const method of ["POST", "PUT"] as const)
      assert.equal((await service.inject({ method, url: "/tools?theme=dark" })).statusCode, 200, method);
  });
});

test("a page that needs no sign-in still shows the signed-in user and the role's navigation", async () => {
  await using open = await startApp();
  assert.match((await open.inject("/channel")).body, /href="\/dev\/channel"\s*>Console</);
  await using service = await startApp({ settings: TWO_ROLES });
  await addPerson(service, "anna", "viewer");
  const { visitor } = await signInByForm(service, { name: "anna" });
  const { body } = await visitor.get("/channel");
  assert.match(body, /anna[^]*Viewer/);
  assert.doesNotMatch(body, /Console|Not signed in/);
  assert.match((await service.inject("/channel")).body, /Not signed in/);
});
