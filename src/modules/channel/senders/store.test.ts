import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { eachEngine } from "../../../../test/support/databases.ts";
import { migrateBefore } from "../../../../test/support/older-schema.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { hashSecret } from "../../../access/secrets.ts";
import { migrate } from "../../../db/migrate.ts";
import { openDatabase } from "../../../db/open.ts";
import { listAudit } from "../../../records/audit.ts";
import { DEFAULT_PROFILE } from "../profiles/profile.ts";
import {
  createSender,
  deleteSender,
  disableSender,
  enableSender,
  narrowScope,
  rotateSecret,
  setExpiry,
  setProfile,
  widenScope,
} from "./edit-store.ts";
import { findCredentials, findSender, listSenders, recordUse, senderSubject } from "./store.ts";

/** The remaining fields in the audit entry of a deleted sender. */
const ENDS = ["expires", "2026-11-20T12:00:02.000Z", "", "oldSecretUntil", "2026-11-20T12:00:01.000Z", "", "digest", "yes", ""];

const PMS = { name: "pms", secret: "" };

eachEngine("senders", (open, makePlace) => {
  test("gives senders created by an older version the standard profile", async () => {
    const place = await makePlace();
    using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
    const database = await openDatabase(place.url, folder.path);
    try {
      await migrateBefore(database, "0019");
      await sql`insert into sender (name, hash, hotels, created_at) values ('pms', ${hashSecret("secret")}, null, 1)`.execute(
        database.write,
      );
      await migrate(database);
      assert.deepEqual((await findCredentials(database, PMS))?.profile, DEFAULT_PROFILE);
      assert.deepEqual((await listSenders(database))[0]?.profile, { preset: "standard", settings: {} });
    } finally {
      await database.close();
    }
  });

  test("combines the preset with the sender's own settings", async () => {
    const database = await open();
    const profile = { preset: "exely", settings: { distribution: "ABC", noMinStay: ["7"] } };
    await addSender(database, { name: "pms", profile });
    const found = await findCredentials(database, PMS);
    const { preset, distribution, noMinStay, stayLimits, end } = found!.profile;
    assert.deepEqual([preset, distribution, noMinStay, stayLimits, end], ["exely", "ABC", ["7"], "through", "included"]);
  });

  test("refuses a second sender with the same name and leaves the first unchanged", async () => {
    const database = await open();
    await addSender(database, { name: "pms", hotels: ["ALP"] });
    const before = await findCredentials(database, PMS);
    assert.equal(await createSender(database, { name: "pms", hotels: undefined }, BY_TEST), undefined);
    assert.deepEqual(await findCredentials(database, PMS), before);
  });

  test("keeps a sender's scope, profile and state when its secret changes, and its secret when its profile changes", async () => {
    const database = await open();
    await addSender(database, { name: "pms", hotels: ["ALP"], profile: { preset: "cubilis", settings: {} } });
    await disableSender(database, "pms", BY_TEST);
    assert.ok(await rotateSecret(database, { name: "pms" }, BY_TEST));
    const before = await findCredentials(database, PMS);
    assert.deepEqual([before?.hotels, before?.profile.preset, before?.disabledAt], [["ALP"], "cubilis", BY_TEST.at]);
    const profile = { preset: "synxis", settings: {} };
    assert.equal(await setProfile(database, { name: "pms", profile }, BY_TEST), "done");
    const after = await findCredentials(database, PMS);
    assert.deepEqual([after?.profile.preset, after?.secrets], ["synxis", before?.secrets]);
    assert.equal(await setProfile(database, { name: "bms", profile }, BY_TEST), "unknown");
    assert.equal(await rotateSecret(database, { name: "bms" }, BY_TEST), undefined);
  });

  test("never adds a property when narrowing a scope, and never removes one when widening it", async () => {
    const database = await open();
    const hotels = async () => (await findSender(database, "pms"))?.hotels;
    await addSender(database, { name: "pms" });
    assert.equal(await narrowScope(database, { name: "pms", hotels: ["A", "B", "A"] }, BY_TEST), "done");
    assert.equal(await narrowScope(database, { name: "pms", hotels: ["B", "C"] }, BY_TEST), "wider");
    assert.deepEqual(await hotels(), ["A", "B"]);
    assert.equal(await widenScope(database, { name: "pms", hotels: ["C"] }, BY_TEST), "done");
    assert.equal(await widenScope(database, { name: "pms", hotels: ["A"] }, BY_TEST), "unchanged");
    assert.deepEqual(await hotels(), ["A", "B", "C"]);
    assert.equal(await narrowScope(database, { name: "pms", hotels: ["C"] }, BY_TEST), "done");
    assert.deepEqual(await hotels(), ["C"]);
    assert.equal(await widenScope(database, { name: "pms", hotels: undefined }, BY_TEST), "done");
    assert.equal(await widenScope(database, { name: "pms", hotels: ["A"] }, BY_TEST), "unchanged");
    assert.equal(await hotels(), undefined);
    assert.equal(await narrowScope(database, { name: "bms", hotels: [] }, BY_TEST), "unknown");
  });

  test("audits each change with its actor but without secrets", async () => {
    const database = await open();
    const by = { ...BY_TEST, actor: "anna", kind: "person", address: "192.0.2.1" } as const;
    const secret = await addSender(database, { name: "pms", hotels: ["ALP"], digest: true });
    const rotated = await rotateSecret(database, { name: "pms", oldUntil: by.at + 1_000 }, by);
    await widenScope(database, { name: "pms", hotels: ["BET"] }, by);
    await narrowScope(database, { name: "pms", hotels: ["BET"] }, by);
    await setExpiry(database, { name: "pms", expiresAt: by.at + 2_000 }, by);
    await disableSender(database, "pms", by);
    await disableSender(database, "pms", by);
    await enableSender(database, "pms", by);
    assert.equal(await deleteSender(database, "pms", by), true);
    assert.equal(await deleteSender(database, "pms", by), false);
    const entries = (await listAudit(database, senderSubject("pms"))).toReversed();
    assert.deepEqual(
      entries.map(({ action, actor, address, changes }) => [
        action,
        actor,
        address,
        ...changes.flatMap(({ field, from, to }) => [field, from, to]),
      ]),
      [
        ["create", "test", undefined, "state", "", "enabled", "properties", "", "ALP", "profile", "", "standard", "digest", "", "yes"],
        ["rotate", "anna", "192.0.2.1", "oldSecretUntil", "", "2026-11-20T12:00:01.000Z"],
        ["widen", "anna", "192.0.2.1", "properties", "ALP", "ALP, BET"],
        ["narrow", "anna", "192.0.2.1", "properties", "ALP, BET", "BET"],
        ["expiry", "anna", "192.0.2.1", "expires", "", "2026-11-20T12:00:02.000Z"],
        ["disable", "anna", "192.0.2.1", "state", "enabled", "disabled"],
        ["enable", "anna", "192.0.2.1", "state", "disabled", "enabled"],
        ["delete", "anna", "192.0.2.1", "state", "enabled", "", "properties", "BET", "", "profile", "standard", "", ...ENDS],
      ],
    );
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(`${secret}|${rotated}|${hashSecret(secret)}`));
  });

  test("records a sign-in at most once a minute and does not fail if the database can't be written to", async () => {
    const database = await open();
    await addSender(database, { name: "pms" });
    const usedAt = async (at: number) => {
      await recordUse(database, { name: "pms", at });
      return (await findSender(database, "pms"))?.usedAt;
    };
    assert.deepEqual([await usedAt(100_000), await usedAt(159_999), await usedAt(160_000)], [100_000, 100_000, 160_000]);
    const { write } = database;
    await database.close();
    await recordUse({ ...database, write }, { name: "pms", at: 900_000 });
  });
});
