import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { freePort } from "../test/support/free-port.ts";
import { startIdentityProvider, type TestIdentityProvider } from "../test/support/identity-provider.ts";
import { ADMIN_PASSWORD } from "../test/support/sign-in.ts";

let service: TestApp;
let origin: string;
let idp: TestIdentityProvider;

before(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const accounts = { "1": { claims: { preferred_username: "anna", groups: ["revenue"] }, amr: ["pwd", "mfa"] }, "2": { claims: {} } };
  idp = await startIdentityProvider({ redirectUri: `${origin}/`, accounts });
  const roles = { OIDC_ROLE_CLAIM: "groups", OIDC_EDITORS: "revenue", OIDC_REQUIRED_ACR: "mfa" };
  service = await startApp({ settings: { ADMIN_PASSWORD, ...idp.settings, ...roles } });
  await service.app.listen({ host: "localhost", port });
});

async function openBrowser({ scripts = true } = {}): Promise<Page> {
  return (await openContext({ javaScriptEnabled: scripts })).newPage();
}

async function signInAs(page: Page, account: string, decision = "Continue"): Promise<void> {
  await page.getByRole("link", { name: "Sign in with single sign-on" }).press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: decision }).click();
  await page.waitForURL((url) => url.origin === origin);
}

describe("single sign-on", () => {
  for (const scripts of [true, false]) {
    test(`redirects to the provider and back to the requested page ${scripts ? "with" : "without"} scripts`, async () => {
      const page = await openBrowser({ scripts });
      const referrers: string[] = [];
      page.on("request", (request) => referrers.push(request.headers().referer ?? ""));
      await page.goto(`${origin}/rates?from=2026-12-01`);
      await signInAs(page, "1");
      assert.equal(page.url(), `${origin}/rates?from=2026-12-01`);
      assert.equal(await page.locator("#user a", { hasText: "anna" }).getAttribute("href"), "/tools/account");
      assert.ok(referrers.every((text) => !text.includes("code=")));
      await page.goto(`${origin}/property/new`);
      assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "New property");
      await page.goBack();
      await page.goBack();
      assert.equal(new URL(page.url()).origin, idp.issuer, "the answer with the code is not in the history");
      await page.context().close();
    });
  }

  test("shows the reason for a failure once on the sign-in page", async () => {
    const page = await openBrowser();
    await page.goto(`${origin}/category`);
    await signInAs(page, "1", "Cancel");
    assert.equal(page.url(), `${origin}/category`);
    assert.equal(
      await page.getByRole("alert").textContent(),
      "The identity provider refused the sign-in (access_denied: The user cancelled).",
    );
    await signInAs(page, "2");
    assert.match((await page.getByRole("alert").textContent()) ?? "", /^This service requires multi-factor authentication/);
    await page.reload();
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.context().close();
  });

  test("leaves the password form usable while the provider is down", async () => {
    await idp.stop();
    const page = await openBrowser();
    service.clock.set(service.clock.now() + 3_600_000);
    await page.goto(`${origin}/category`);
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.getByRole("alert").waitFor();
    assert.match((await page.getByRole("alert").textContent()) ?? "", /^Single sign-on is not available/);
    await page.getByLabel("User name").fill("admin");
    await page.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Categories" }).waitFor();
    assert.equal(page.url(), `${origin}/category`);
    await page.context().close();
    await idp.start();
  });
});
