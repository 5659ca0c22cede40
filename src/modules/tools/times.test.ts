import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../test/support/app.ts";

const NOW = new Date(START).toISOString();

test("formats times in the JSON of the tools as ISO 8601", async () => {
  await using service = await startApp();
  await service.inject("/tools/env");
  const ask = async <T>(url: string) => (await service.inject(`${url}?format=json`)).json<T>();
  const { routes } = await ask<{ routes: { path: string; lastHitAt?: string }[] }>("/tools/routes");
  assert.equal(routes.find(({ path }) => path === "/tools/env")?.lastHitAt, NOW);
  const tools = await ask<{ slug: string; lastUse?: string }[]>("/tools");
  assert.equal(tools.find(({ slug }) => slug === "env")?.lastUse, NOW);
  const { body } = await service.inject("/tools/routes");
  assert.ok(body.includes(`&quot;lastHitAt&quot;: &quot;${NOW}&quot;`), "and so does its text to copy");
});
