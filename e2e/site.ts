import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";

/** A page of a browser beside a service that listens at `origin`; both end with the tests of their file. */
export type Site = { origin: string; page: Page };

/** Starts a service on an empty store, which `prepare` fills. */
export async function openSite(prepare: (service: TestApp) => Promise<void> = async () => {}): Promise<Site> {
  const service = await startApp();
  await prepare(service);
  const origin = await service.listen();
  return { origin, page: await (await openContext()).newPage() };
}
