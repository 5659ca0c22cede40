import type { Bench } from "../bench.ts";
import { startReference } from "../support/reference.ts";
import { CREDENTIAL, startService } from "../support/service.ts";
import { compare } from "../support/versus.ts";

/** Unknown paths: each is recorded in the error log. */
export const notFound: Bench = {
  name: "not-found",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, seeded }) {
    const store = await seeded({ properties: 1 });
    const service = await startService(store);
    const answer = await fetch(`${service.url}/nowhere/0`);
    const reference = await startReference({ status: 404, type: "text/html; charset=utf-8", body: await answer.text() });
    try {
      const requests = Array.from({ length: 100 }, (_, index) => ({ method: "GET" as const, path: `/nowhere/${index}` }));
      const load = { requests, connections: 16, status: 404, contains: "not found" };
      const versus = {
        name: "unknown path (404), recorded",
        engine: store.engine,
        service: service.url,
        reference: reference.url,
        load,
        target: 0.25,
      };
      const rows = await compare(versus, pace);
      await checkRecorded(service.url);
      return rows;
    } finally {
      await reference.stop();
      await service.stop();
    }
  },
};

async function checkRecorded(url: string): Promise<void> {
  const answer = await fetch(`${url}/tools/errors?format=json`, { headers: CREDENTIAL });
  const { errors } = (await answer.json()) as { errors: { message: string }[] };
  if (!errors[0]?.message.startsWith("Route 'GET /nowhere/")) throw new Error("the unknown paths were not recorded");
}
