import type { Bench } from "../bench.ts";
import type { Row } from "../support/figures.ts";
import type { Headers } from "../support/load.ts";
import { startReference } from "../support/reference.ts";
import { compare } from "../support/rounds.ts";
import { CREDENTIAL, startService } from "../support/service.ts";

const PAGES = [
  { name: "GET /property, 50 of 1,000", path: "/property", contains: "SEED00" },
  { name: "GET /inventories, 10 categories x 14 nights", path: "/inventories?property=SEED00007", contains: "C10" },
  { name: "GET /rates, 10 categories x 3 plans x 14 nights", path: "/rates?property=SEED00007", contains: "C10" },
  { name: "GET /", path: "/", contains: "At a glance" },
];

/** Requests the heaviest pages with credentials and a session. Compares them with a bare `node:http` server that sends the same bytes. */
export const pages: Bench = {
  name: "pages",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    await using service = await startService(await seeded({ properties: 1_000, categories: 10, plans: 3, nights: 60 }));
    const headers = await sessionHeaders(service.url);
    const rows: Row[] = [];
    for (const page of PAGES) {
      const response = await fetch(service.url + page.path, { headers });
      await using reference = await startReference({ status: 200, type: "text/html; charset=utf-8", body: await response.text() });
      const get = { method: "GET" as const, path: page.path, headers };
      const load = { requests: [get], connections: 16, status: 200, contains: page.contains };
      rows.push(await compare({ ...page, engine, service: service.url, reference: reference.url, load, target: undefined }, pace));
    }
    return rows;
  },
};

async function sessionHeaders(url: string): Promise<Headers> {
  const form = await fetch(`${url}/property/new`, { headers: CREDENTIAL });
  const [cookie] = form.headers.getSetCookie();
  if (cookie === undefined) throw new Error("the form did not create a session");
  return { ...CREDENTIAL, cookie: cookie.split(";")[0]! };
}
