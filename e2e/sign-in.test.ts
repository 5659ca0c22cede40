import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { addPerson, ADMIN_PASSWORD, PERSON_PASSWORD, VIEWER_PASSWORD } from "../test/support/sign-in.ts";

const MINUTE_MS = 60_000;
const NEW_PASSWORD = "seven green umbrellas";

let service: TestApp;
let origin: string;

before(async () => {
  service = await startApp({ settings: { ADMIN_PASSWORD, VIEWER_PASSWORD } });
  origin = await service.listen();
});

async function openBrowser({ scripts = true } = {}): Promise<Page> {
  return (await openContext({ javaScriptEnabled: scripts })).newPage();
}

async function submit(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

async function signOut(page: Page): Promise<void> {
  await page.locator(".user-button").click();
  await press(page, "Sign out");
}

async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name, exact: true }).click()]);
}

const titleOf = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

describe("signing in", () => {
  test("returns to the requested page with and without scripts", async () => {
    await addPerson(service, "anna", "editor");
    for (const scripts of [true, false]) {
      const page = await openBrowser({ scripts });
      await page.goto(`${origin}/property?q=alp&sort=-name`);
      assert.equal(await titleOf(page), "Sign in");
      await submit(page, "anna", PERSON_PASSWORD);
      assert.equal(page.url(), `${origin}/property?q=alp&sort=-name`);
      assert.equal(await page.locator("#user a", { hasText: "anna" }).getAttribute("href"), "/tools/account");
      await page.context().close();
    }
  });

  test("works with the keyboard and marks its fields for password managers", async () => {
    const page = await openBrowser();
    await page.goto(`${origin}/rates`);
    const autocomplete = (label: string) => page.getByLabel(label, { exact: true }).getAttribute("autocomplete");
    assert.deepEqual([await autocomplete("User name"), await autocomplete("Password")], ["username", "current-password"]);
    await page.keyboard.type("viewer");
    await page.keyboard.press("Tab");
    await page.keyboard.type(VIEWER_PASSWORD);
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    assert.deepEqual([page.url(), await titleOf(page)], [`${origin}/rates`, "Rates"]);
    await page.context().close();
  });

  test("reports a wrong password and a lockout, then accepts the right password", async () => {
    const page = await openBrowser();
    await page.goto(`${origin}/category`);
    await submit(page, "anna", "not the password");
    assert.equal(await page.getByRole("alert").textContent(), "Wrong user name or password.");
    assert.equal(await page.getByLabel("User name").inputValue(), "anna");
    assert.equal(await page.getByLabel("Password").inputValue(), "");
    assert.equal(await page.evaluate("document.activeElement.id"), "f-password");
    for (let time = 0; time < 5; time++) await submit(page, "anna", `guess ${time}`);
    await submit(page, "anna", PERSON_PASSWORD);
    assert.match((await page.getByRole("alert").textContent()) ?? "", /^Too many failed sign-ins\. Try again in \d+ seconds?\.$/);
    service.clock.set(service.clock.now() + MINUTE_MS);
    await submit(page, "anna", PERSON_PASSWORD);
    assert.equal(page.url(), `${origin}/category`);
    await page.context().close();
  });

  test("never opens the browser's built-in password dialog", async () => {
    const page = await openBrowser();
    const response = await page.goto(`${origin}/property`);
    assert.deepEqual([response?.status(), response?.headers()["www-authenticate"]], [401, undefined]);
    const fetched = await page.evaluate(
      "fetch('/property?format=json').then((answer) => [answer.status, answer.headers.get('www-authenticate')])",
    );
    assert.deepEqual(fetched, [401, null]);
    await page.context().close();
  });
});

describe("signing out", () => {
  test("signing out ends the session and confirms it", async () => {
    const page = await openBrowser();
    await page.goto(`${origin}/rates`);
    await submit(page, "anna", PERSON_PASSWORD);
    assert.match(await page.evaluate<string>("localStorage.getItem('roomrack-recent')"), /"\/rates"/);
    await signOut(page);
    assert.equal(await page.locator("main p.lead").textContent(), "You are signed out.");
    assert.equal(await page.evaluate("localStorage.getItem('roomrack-recent')"), null);
    await page.goto(`${origin}/rates`);
    assert.equal(await titleOf(page), "Sign in");
    await page.context().close();
  });

  test("a user can end the session on another device, or all other sessions", async () => {
    await addPerson(service, "emma", "viewer");
    const [here, phone, tablet] = [await openBrowser(), await openBrowser(), await openBrowser()];
    for (const page of [here, phone, tablet]) {
      await page.goto(`${origin}/property`);
      await submit(page, "emma", PERSON_PASSWORD);
    }
    await here.goto(`${origin}/tools/account`);
    const others = here.getByRole("row", { name: /Chrome on Linux/ }).getByRole("button");
    assert.equal(await others.count(), 2);
    await Promise.all([here.waitForEvent("load"), others.first().click()]);
    const titles = async () => {
      for (const page of [phone, tablet]) await page.reload();
      return [await titleOf(phone), await titleOf(tablet)].toSorted();
    };
    assert.deepEqual(await titles(), ["Properties", "Sign in"]);
    await press(here, "Sign out everywhere else");
    assert.deepEqual(await titles(), ["Sign in", "Sign in"]);
    assert.equal(await titleOf(here), "Your account");
    for (const page of [here, phone, tablet]) await page.context().close();
  });
});

describe("an invitation", () => {
  for (const scripts of [true, false]) {
    test(`an invitation lets a new user sign in ${scripts ? "with" : "without"} scripts and keeps its secret out of URLs`, async () => {
      const name = scripts ? "ben" : "carla";
      const admin = await openBrowser();
      await admin.goto(`${origin}/tools/users`);
      await submit(admin, "admin", ADMIN_PASSWORD);
      await admin.getByLabel("User name").fill(name);
      await admin.getByLabel("Role").selectOption("editor");
      await press(admin, "Create user");
      const link = await admin.getByLabel("Invitation link").inputValue();
      const page = await openBrowser({ scripts });
      const secret = link.split("#")[1]!;
      const sent: string[] = [];
      page.on("request", (request) => sent.push(request.url(), request.headers().referer ?? ""));
      await page.goto(link);
      if (!scripts) {
        await page.getByLabel("Invitation code").fill(secret);
        await press(page, "Continue");
      }
      await page.getByRole("heading", { name: "Choose a password" }).waitFor();
      assert.equal(await page.getByLabel("User name").inputValue(), name);
      const fields = await page.evaluate("[...document.querySelectorAll('main input[autocomplete]')].map((one) => one.autocomplete)");
      assert.deepEqual(fields, ["username", "new-password", "new-password"]);
      await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel("Repeat the new password").fill(NEW_PASSWORD);
      await press(page, "Set password and sign in");
      assert.equal(page.url(), `${origin}/`);
      assert.match((await page.locator("main").textContent()) ?? "", new RegExp(`Welcome, ${name}\\. Your password is set\\.`));
      assert.ok(sent.length > 3 && sent.every((text) => !text.split("#")[0]!.includes(secret)));
      for (const one of [admin, page]) await one.context().close();
    });
  }

  test("an invitation that has already been used explains what to do next", async () => {
    const page = await openBrowser();
    await page.goto(`${origin}/tools/invitation#used-up`);
    await page.getByText("Ask an administrator for a new link").first().waitFor();
    assert.equal(page.url(), `${origin}/tools/invitation`);
    await page.context().close();
  });
});

test("a user can change their password", async () => {
  await addPerson(service, "dora", "viewer");
  const page = await openBrowser();
  await page.goto(`${origin}/tools/account`);
  await submit(page, "dora", PERSON_PASSWORD);
  await page.getByLabel("Current password").fill(PERSON_PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Repeat the new password").fill(NEW_PASSWORD);
  await press(page, "Change password");
  assert.match((await page.locator("main").textContent()) ?? "", /Password changed\./);
  await signOut(page);
  await submit(page, "dora", NEW_PASSWORD);
  assert.equal(page.url(), `${origin}/`);
  await page.context().close();
});
