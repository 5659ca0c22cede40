import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createToken } from "../src/access/tokens.ts";
import { startApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, postMessage, rateMessage } from "./support/hotel.ts";
import { BY_TEST } from "./support/senders.ts";
import { TWO_ROLES } from "./support/sign-in.ts";

const EXAMPLE = new URL("../examples/consumer/booking-engine.ts", import.meta.url).pathname;

eachEngine("the booking engine example", (open, makePlace) => {
  test("the booking engine example loads a snapshot, then follows changes", async () => {
    const place = await makePlace();
    await using sender = await startApp({ database: await open(place) });
    await using service = await startApp({ database: await open(place), settings: TWO_ROLES });
    await makeHotel(sender);
    const count = (range: string, rooms: number) =>
      postMessage(sender, countMessage({ control: `${range} InvTypeCode="DBL"`, counts: [[2, rooms]] }));
    await count('Start="2026-12-01" End="2026-12-03"', 7);
    const fields = { name: "engine", scopes: ["read", "changes"] as const, properties: undefined, expiresAt: undefined };
    const TOKEN = await createToken(service.database, fields, BY_TEST);
    const address = await service.listen();
    const isFollowing = new Promise<void>((resolve) => {
      service.app.server.on("request", ({ url = "" }: IncomingMessage) => url.startsWith("/changes") && resolve());
    });
    const engine = spawn(process.execPath, [EXAMPLE], { env: { ...process.env, ROOMRACK: address, TOKEN } });
    try {
      const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
      const next = async () => (await lines.next()).value;
      await isFollowing;
      await count('Start="2026-12-04" End="2026-12-04"', 1);
      assert.equal(await next(), "4 nights");
      const plan = 'Start="2026-12-01" End="2026-12-02" InvTypeCode="DBL" RatePlanCode="BAR"';
      await postMessage(sender, rateMessage({ control: plan, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
      assert.equal(await next(), "6 nights");
    } finally {
      engine.kill();
      await once(engine, "exit");
    }
  });
});
