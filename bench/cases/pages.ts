import type { Bench } from "../bench.ts";
import type { Row } from "../support/figures.ts";
import type { Headers } from "../support/load.ts";
import { startReference } from "../support/reference.ts";
import { CREDENTIAL, startService } from "../support/service.ts";
import { compare } from "../support/versus.ts";

const PAGES = [
  { name: "GET /property, 50 of 1,000", path: "/property", contains: "SEED00", target: 0.45, p99: 4 },
  { name: "GET /inventories, 10 categories x 14 nights", path: "/inventories?property=SEED00007", contains: "C10", target: 0.25 },
  { name: "GET /rates, 10 categories x 3 plans x 14 nights", path: "/rates?property=SEED00007", contains: "C10", target: 0.25 },
];

/**
 * Pages that people look at, asked for by 16 connections with a credential and a session, against raw node:http sending the same bytes.
 * Nothing is written meanwhile, so that all answers but the first are those that the service has kept.
 */
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
      const requests = [{ method: "GET" as const, path: page.path, headers }];
      const load = { requests, connections: 16, status: 200, contains: page.contains };
      rows.push(...(await compare({ ...page, engine, service: service.url, reference: reference.url, load }, pace)));
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
