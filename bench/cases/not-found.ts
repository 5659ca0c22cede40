import type { Bench } from "../bench.ts";
import { startReference } from "../support/reference.ts";
import { compare } from "../support/rounds.ts";
import { CREDENTIAL, startService } from "../support/service.ts";

export const notFound: Bench = {
  name: "not-found",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    await using service = await startService(await seeded({ properties: 1 }));
    const response = await fetch(`${service.url}/nowhere/0`);
    await using reference = await startReference({ status: 404, type: "text/html; charset=utf-8", body: await response.text() });
    const requests = Array.from({ length: 100 }, (_, index) => ({ method: "GET" as const, path: `/nowhere/${index}` }));
    const load = { requests, connections: 16, status: 404, contains: "not found" };
    const name = "unknown path (404), recorded";
    const row = await compare({ name, engine, service: service.url, reference: reference.url, load, target: 0.25 }, pace);
    await checkRecorded(service.url);
    return [row];
  },
};

async function checkRecorded(url: string): Promise<void> {
  const response = await fetch(`${url}/tools/errors?format=json`, { headers: CREDENTIAL });
  const { errors } = (await response.json()) as { errors: { message: string }[] };
  if (!errors[0]?.message.startsWith("Route 'GET /nowhere/")) throw new Error("the unknown paths were not recorded");
}
