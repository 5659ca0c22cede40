import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES } from "./support/databases.ts";
import { killDuringFeed } from "./support/feed-kills.ts";
import { freePort } from "./support/free-port.ts";
import { killRepeatedly, SENDERS } from "./support/kills.ts";
import { serve, type Settings } from "./support/process.ts";
import { type SeededPlace, seededPlace } from "./support/seeded-place.ts";
import { killDuringDelivery } from "./support/webhook-kills.ts";

const KILLS = 2;
/** Leaves time for the restart and the checks, while about a third of the senders always wait for an answer. */
const PAUSE_MS = 30;

/** Settings of a service, and a function that starts it. */
async function serviceOn(place: SeededPlace, extra: Settings) {
  const settings = { ...place.settings, ...extra, PORT: String(await freePort()) };
  const start = async () => {
    const { origin, stop } = await serve(settings);
    return { origin, kill: () => stop("SIGKILL"), stop };
  };
  return { settings, start };
}

for (const engine of ENGINES) {
  describe(`the service on ${engine}`, () => {
    for (const [workers, victim] of [
      [1, "as a single process"],
      [2, "with two workers"],
    ] as const) {
      test(`loses no acknowledged message if killed ${KILLS} times ${victim}`, async () => {
        await using place = await seededPlace(engine, SENDERS);
        const service = await serviceOn(place, { WORKERS: String(workers) });
        const { acknowledged, lost } = await killRepeatedly({ ...service, workers, kills: KILLS, pause: PAUSE_MS });
        assert.deepEqual(lost, []);
        assert.ok(acknowledged >= KILLS * SENDERS);
      });
    }

    test(`delivers all webhooks even if killed ${KILLS} times`, async () => {
      await using place = await seededPlace(engine, SENDERS);
      const service = await serviceOn(place, { WEBHOOK_NETWORKS: "127.0.0.1" });
      const { lost, events, calls } = await killDuringDelivery({ ...service, workers: 1, kills: KILLS, pause: PAUSE_MS }, 3);
      assert.deepEqual(lost, []);
      assert.ok(calls >= events && events >= KILLS);
    });

    test(`keeps consumers of the change feed in step even if killed ${KILLS} times`, async () => {
      await using place = await seededPlace(engine, SENDERS);
      const service = await serviceOn(place, {});
      const { lost, changes, breaks } = await killDuringFeed({ ...service, workers: 1, kills: KILLS, pause: PAUSE_MS });
      assert.deepEqual(lost, []);
      assert.ok(changes >= KILLS && breaks >= KILLS);
    });
  });
}
