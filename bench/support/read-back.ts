import { categoryCode, propertyCode } from "../../src/cli/seed/records.ts";
import type { Headers } from "./load.ts";
import { countsMessage, day, STORED } from "./messages.ts";
import { CREDENTIAL } from "./service.ts";

/** What was acknowledged is there: sends counts that nothing else sends, and reads those nights back from the page. */
export async function checkReadBack(url: string, headers: Headers): Promise<void> {
  const body = countsMessage(0, [{ category: 0, first: 0, last: 6, count: 4321 }]);
  const answer = await fetch(`${url}/channel`, { method: "POST", headers, body });
  if (!(await answer.text()).includes(STORED.contains)) throw new Error("the message to read back was refused");
  const query = new URLSearchParams({ property: propertyCode(0), category: categoryCode(0), from: day(0), days: "7", format: "csv" });
  const page = await fetch(`${url}/inventories?${query.toString()}`, { headers: CREDENTIAL });
  const found = (await page.text()).match(/\b4321\b/g)?.length ?? 0;
  if (found < 7) throw new Error(`${found} of 7 nights could be read back`);
}
