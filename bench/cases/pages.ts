import type { Bench } from "../bench.ts";
import type { Row } from "../support/figures.ts";
import type { Headers } from "../support/load.ts";
import { startReference } from "../support/reference.ts";
import { CREDENTIAL, startService } from "../support/service.ts";
import { compare } from "../support/versus.ts";

const PAGES = [
  { name: "GET /property, 50 of 1,000", path: "/property", contains: "SEED00" },
  { name: "GET /inventories, 10 categories x 14 nights", path: "/inventories?property=SEED00007", contains: "C10" },
  { name: "GET /rates, 10 categories x 3 plans x 14 nights", path: "/rates?property=SEED00007", contains: "C10" },
  { name: "GET /", path: "/", contains: "At a glance" },
];

/** The heaviest pages, asked for by 16 connections with a credential and a session, against raw node:http sending the same bytes. */
export const pages: Bench = {
  name: "pages",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    await using service = await startService(await seeded({ properties: 1_000, categories: 10, plans: 3, nights: 60 }));
    const headers = await visitorOf(service.url);
    const rows: Row[] = [];
    for (const page of PAGES) {
      const answer = await fetch(service.url + page.path, { headers });
      await using reference = await startReference({ status: 200, type: "text/html; charset=utf-8", body: await answer.text() });
      const get = { method: "GET" as const, path: page.path, headers };
      const load = { requests: [get], connections: 16, status: 200, contains: page.contains };
      rows.push(...(await compare({ ...page, engine, service: service.url, reference: reference.url, load, target: undefined }, pace)));
    }
    return rows;
  },
};

/** What a browser sends that has seen a form: the credential, and the cookie of its session. */
async function visitorOf(url: string): Promise<Headers> {
  const form = await fetch(`${url}/property/new`, { headers: CREDENTIAL });
  const [cookie] = form.headers.getSetCookie();
  if (cookie === undefined) throw new Error("a form made no session");
  return { ...CREDENTIAL, cookie: cookie.split(";")[0]! };
}
