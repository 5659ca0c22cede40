import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES } from "./support/databases.ts";
import { freePort } from "./support/free-port.ts";
import { killRepeatedly, SENDERS } from "./support/kills.ts";
import { serve } from "./support/process.ts";
import { seededPlace } from "./support/seeded-place.ts";
import { killDuringDelivery } from "./support/webhook-kills.ts";

const KILLS = 3;

for (const engine of ENGINES) {
  describe(`the service on ${engine}`, () => {
    for (const [workers, victim] of [
      [1, "as a single process"],
      [2, "with two workers"],
    ] as const) {
      test(`${victim} is killed ${KILLS} times loses no acknowledged message`, async () => {
        await using place = await seededPlace(engine, SENDERS);
        const settings = { ...place.settings, PORT: String(await freePort()), WORKERS: String(workers) };
        const start = async () => {
          const { origin, stop } = await serve(settings);
          return { origin, kill: () => stop("SIGKILL"), stop };
        };
        const { acknowledged, lost } = await killRepeatedly({ start, settings, workers, kills: KILLS });
        assert.deepEqual(lost, []);
        assert.ok(acknowledged >= KILLS * SENDERS);
      });
    }

    test(`delivers all webhooks although it is killed ${KILLS} times`, async () => {
      await using place = await seededPlace(engine, SENDERS);
      const settings = { ...place.settings, PORT: String(await freePort()), WEBHOOK_NETWORKS: "127.0.0.1" };
      const start = async () => {
        const { origin, stop } = await serve(settings);
        return { origin, kill: () => stop("SIGKILL"), stop };
      };
      const { lost, events, calls } = await killDuringDelivery({ start, settings, workers: 1, kills: KILLS }, 3);
      assert.deepEqual(lost, []);
      assert.ok(calls >= events && events >= KILLS);
    });
  });
}
