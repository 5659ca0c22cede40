import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";

const SETTINGS = {
  ERROR_WEBHOOK_URL: "https://hooks.example/services/T024/B771/path-that-is-a-key",
  ERROR_WEBHOOK_SECRET: "a secret for signatures",
  TRUST_PROXY: "10.0.0.5,10.0.0.6",
};

test("No tool shows the path of the webhook or its secret, which are keys", async () => {
  await using service = await startApp({ settings: SETTINGS });
  for (const url of ["/tools", "/tools/env", "/tools/env?format=json", "/tools/aliases", "/tools/phpinfo", "/tools/request"]) {
    const { body } = await service.inject(url);
    assert.doesNotMatch(body, /path-that-is-a-key|B771|a secret for signatures/, url);
  }
  const { settings } = (await service.inject("/tools/env?format=json")).json<{ settings: { name: string; value?: string }[] }>();
  assert.match(settings.find(({ name }) => name === "ERROR_WEBHOOK_URL")?.value ?? "", /^https:\/\/hooks\.example\//);
});

test("The card of the request says which proxies are trusted", async () => {
  const status = async (settings: Record<string, string>) => {
    await using service = await startApp({ settings });
    const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
    return cards.find(({ slug }) => slug === "request")?.status;
  };
  assert.equal(await status({}), "no proxy is trusted");
  assert.equal(await status(SETTINGS), "trusts 10.0.0.5, 10.0.0.6");
});
