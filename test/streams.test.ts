import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createToken, revokeToken } from "../src/access/tokens.ts";
import { startApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, postMessage } from "./support/hotel.ts";
import { BY_TEST } from "./support/senders.ts";
import { signInByForm, TWO_ROLES } from "./support/sign-in.ts";

eachEngine("streams", (open, makePlace) => {
  test("streams end when their user signs out or their token is revoked, and send nothing afterwards", async () => {
    const place = await makePlace();
    await using sender = await startApp({ database: await open(place) });
    await using service = await startApp({ database: await open(place), settings: TWO_ROLES });
    await makeHotel(sender);
    const fields = { name: "reader", scopes: ["changes"] as const, properties: undefined, expiresAt: undefined };
    const token = await createToken(service.database, fields, BY_TEST);
    const { visitor } = await signInByForm(service);
    await visitor.get("/");
    const followed = visitor.get("/dev/tail");
    const read = service.inject({ url: "/changes?format=ndjson", headers: { authorization: `Bearer ${token}` } });
    await sleep(200);
    await visitor.signOut();
    assert.equal(await revokeToken(service.database, 1, BY_TEST), "reader");
    const ended = Promise.all([followed, read]);
    assert.equal(await Promise.race([ended.then(() => "ended"), sleep(8_000, "open", { ref: false })]), "ended");
    await postMessage(sender, countMessage({ control: 'Start="2026-12-01" End="2026-12-01" InvTypeCode="DBL"', counts: [[2, 1]] }));
    for (const { statusCode, body } of await ended) {
      assert.equal(statusCode, 200);
      assert.doesNotMatch(body, /2026-12-01/);
    }
    assert.equal((await visitor.get("/dev/tail")).statusCode, 401);
  });
});
