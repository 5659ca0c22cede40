import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";

/** A browser page and a service at `origin`. Both are closed after the file's tests. */
export type Site = { origin: string; page: Page };

export async function openSite(prepare: (service: TestApp) => Promise<void> = async () => {}): Promise<Site> {
  const service = await startApp();
  await prepare(service);
  const origin = await service.listen();
  return { origin, page: await (await openContext()).newPage() };
}
