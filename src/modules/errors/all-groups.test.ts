import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";

const GROUPS = "/tools/errors?view=groups&sort=count";

test("All groups of a page are chosen by one link, which is offered again to choose none", async () => {
  await using service = await withErrors();
  const visitor = service.visitor();
  const [all, label] = chooseLink((await visitor.get(GROUPS)).body);
  assert.equal(label, "Choose all 2 of this page");
  const chosen = (await visitor.get(all)).body;
  assert.equal(ticked(chosen), 2);
  const [none, other] = chooseLink(chosen);
  assert.equal(other, "Choose none");
  assert.equal(ticked((await visitor.get(none)).body), 0);
});

test("What is done with all groups of a page leaves those that come after them unchosen", async () => {
  await using service = await withErrors();
  const visitor = service.visitor();
  const [all] = chooseLink((await visitor.get(GROUPS)).body);
  const ids = [...(await visitor.get(all)).body.matchAll(/name="group" value="(\d+)"/g)].map(([, id]) => id!);
  const { headers } = await visitor.post(all, { action: "resolve", group: ids });
  assert.equal(headers.location, GROUPS);
  await service.inject("/another/path");
  await service.errors.flush();
  assert.equal(ticked((await visitor.get(GROUPS)).body), 0);
});

async function withErrors(): Promise<TestApp> {
  const service = await startApp();
  await service.inject("/no/such/page");
  await service.inject({ method: "POST", url: "/channel", payload: "" });
  await service.errors.flush();
  return service;
}

/** The address and the words of the link that chooses. */
function chooseLink(body: string): [to: string, label: string] {
  const [, to = "", label = ""] = /<a href="([^"]*)">(Choose [^<]*)</.exec(body) ?? [];
  return [to.replaceAll("&amp;", "&"), label];
}

function ticked(body: string): number {
  return body.match(/name="group"[^>]* checked/g)?.length ?? 0;
}
