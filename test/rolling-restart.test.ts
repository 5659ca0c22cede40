import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { openFresh } from "./support/databases.ts";
import { freePort } from "./support/free-port.ts";
import { makeDataFolder, PING, serve, type Settings } from "./support/process.ts";
import { until } from "./support/until.ts";

const CLIENTS = 16;

type Backend = { origin: string; health: string; agent: Agent; isReady: boolean };

describe("a rolling restart", () => {
  test("a rolling restart resets no connections behind a proxy that checks readiness", async (t) => {
    const { place, remove } = await openFresh("PostgreSQL");
    t.after(remove);
    const settings = { DATABASE_URL: place.url!, DRAIN_SECONDS: "3" };
    const first = await startBackend(settings);
    const second = await startBackend(settings);
    const load = startLoad([first.backend, second.backend]);
    await load.reach(200);
    for (const { backend, service } of [first, second]) {
      const { code } = await service.stop("SIGTERM");
      assert.equal(code, 0);
      assert.equal(backend.isReady, false);
      await load.reach(200);
      if (backend === first.backend) Object.assign(backend, (await startBackend(settings)).backend);
    }
    assert.deepEqual(await load.end(), []);
  });
});

for (const WORKERS of ["1", "2"])
  test(`reports liveness, readiness and metrics only on a separate port (workers: ${WORKERS})`, async () => {
    const METRICS_PORT = String(await freePort());
    const service = await serve({ DATA_DIR: makeDataFolder(), METRICS_PORT, WORKERS, DRAIN_SECONDS: "1" });
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${METRICS_PORT}${path}`);
      return [response.status, await response.text()] as const;
    };
    assert.deepEqual(
      [await ask("/livez"), await ask("/readyz")],
      [
        [200, "live\n"],
        [200, "ready\n"],
      ],
    );
    for (let count = 0; count < 3; count++) await fetch(`${service.origin}/nowhere`);
    const metrics = await until("all workers to report", async () => {
      const [status, body] = await ask("/metrics");
      return status === 200 && body;
    });
    assert.match(metrics, /^roomrack_http_request_duration_seconds_count\{module="other",method="GET",status="404"\} 3$/m);
    assert.match(metrics, /^roomrack_database_up 1$/m);
    for (const path of ["/livez", "/readyz", "/metrics"]) assert.equal((await fetch(service.origin + path)).status, 404, path);
    const ended = service.stop();
    await until("the service not to be ready", async () => (await ask("/readyz"))[0] === 503);
    const late = await fetch(`${service.origin}/`);
    assert.deepEqual([late.status, late.headers.get("connection")], [200, "close"]);
    assert.equal((await ended).code, 0);
  });

async function startBackend(settings: Settings) {
  const METRICS_PORT = String(await freePort());
  const service = await serve({ ...settings, DATA_DIR: makeDataFolder(), METRICS_PORT });
  const agent = new Agent({ keepAlive: true });
  const backend: Backend = { origin: service.origin, health: `http://127.0.0.1:${METRICS_PORT}/readyz`, agent, isReady: true };
  return { service, backend };
}

/** Sends pings over keep-alive connections to the backends that are ready, without retries, as a simple proxy would. */
function startLoad(backends: readonly Backend[]) {
  const faults: string[] = [];
  let [answered, isEnding] = [0, false];
  const checks = setInterval(() => {
    for (const backend of backends) void checkReadiness(backend);
  }, 50);
  const run = async (client: number) => {
    for (let turn = client; !isEnding; turn++) {
      const ready = backends.filter(({ isReady }) => isReady);
      const fault = await ping(ready[turn % ready.length]!);
      if (fault === undefined) answered++;
      else faults.push(fault);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => run(client));
  return {
    async reach(more: number) {
      const goal = answered + more;
      await until(`${more} more answers`, () => answered >= goal);
    },
    async end() {
      isEnding = true;
      await Promise.all(clients);
      clearInterval(checks);
      for (const { agent } of backends) agent.destroy();
      return faults;
    },
  };
}

async function checkReadiness(backend: Backend): Promise<void> {
  const { health } = backend;
  const isReady = await fetch(health).then(
    ({ ok }) => ok,
    () => false,
  );
  if (backend.health === health) backend.isReady = isReady;
}

async function ping({ origin, agent }: Backend): Promise<string | undefined> {
  try {
    const sent = request(`${origin}/channel`, { method: "POST", agent, headers: { "content-type": "application/xml" } }).end(PING);
    const [response] = await once(sent, "response");
    await text(response);
    return response.statusCode === 200 ? undefined : String(response.statusCode);
  } catch (error) {
    return String(error);
  }
}
