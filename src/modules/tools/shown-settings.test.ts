import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";

const SETTINGS = {
  ERROR_WEBHOOK_URL: "https://hooks.example/services/T024/B771/path-that-is-a-key",
  ERROR_WEBHOOK_SECRET: "a secret for signatures",
  TRUST_PROXY: "10.0.0.5,10.0.0.6",
};

test("never shows the path or secret of the webhook", async () => {
  await using service = await startApp({ settings: SETTINGS });
  for (const url of ["/tools", "/tools/env", "/tools/env?format=json", "/tools/aliases", "/tools/phpinfo", "/tools/request"]) {
    const { body } = await service.inject(url);
    assert.doesNotMatch(body, /path-that-is-a-key|B771|a secret for signatures/, url);
  }
  const { settings } = (await service.inject("/tools/env?format=json")).json<{ settings: { name: string; value?: string }[] }>();
  assert.match(settings.find(({ name }) => name === "ERROR_WEBHOOK_URL")?.value ?? "", /^https:\/\/hooks\.example\//);
});

test("lists trusted proxies on the request card", async () => {
  const status = async (settings: Record<string, string>) => {
    await using service = await startApp({ settings });
    const cards = (await service.inject("/tools?format=json")).json<{ slug: string; status: string }[]>();
    return cards.find(({ slug }) => slug === "request")?.status;
  };
  assert.equal(await status({}), "no trusted proxies");
  assert.equal(await status(SETTINGS), "trusts 10.0.0.5, 10.0.0.6");
});

test("shows every secret in the same way, without its length or hash", async () => {
  const pages = async (secret: string) => {
    const settings = { ADMIN_PASSWORD: secret, VIEWER_PASSWORD: `v${secret}`, ERROR_WEBHOOK_SECRET: secret };
    await using service = await startApp({ settings: { ...SETTINGS, ...settings, ERROR_WEBHOOK_URL: `https://hooks.example/${secret}` } });
    const headers = { authorization: `Bearer ${secret}` };
    const { settings: shown } = (await service.inject({ url: "/tools/env?format=json", headers })).json<{
      settings: { name: string; value?: string }[];
    }>();
    const request = (await service.inject({ url: "/tools/request?format=json", headers })).json<{ headers: Record<string, string> }>();
    return [shown.filter(({ name }) => name !== "DATA_DIR"), request.headers.authorization];
  };
  const [first, second] = [await pages("correct horse battery staple"), await pages("another long secret value")];
  assert.deepEqual(first, second);
  assert.equal(first[1], "set");
});
