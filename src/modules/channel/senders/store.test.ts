import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { eachEngine } from "../../../../test/support/databases.ts";
import { migrateBefore } from "../../../../test/support/older-schema.ts";
import { hashSecret } from "../../../access/secrets.ts";
import { migrate } from "../../../db/migrate.ts";
import { openDatabase } from "../../../db/open.ts";
import { STANDARD } from "../profiles/profile.ts";
import { createSender, findSender, listSenders, setProfile } from "./store.ts";

eachEngine("senders", (open, makePlace) => {
  test("senders of an older version get the standard profile", async () => {
    const place = await makePlace();
    using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-test-"));
    const database = await openDatabase(place.url, folder.path);
    try {
      await migrateBefore(database, "0019");
      await sql`insert into sender (name, hash, hotels, created_at) values ('pms', ${hashSecret("secret")}, null, 1)`.execute(
        database.write,
      );
      await migrate(database);
      assert.deepEqual((await findSender(database, "pms", ""))?.profile, STANDARD);
      assert.deepEqual((await listSenders(database))[0]?.profile, { preset: "standard", settings: {} });
    } finally {
      await database.close();
    }
  });

  test("combines the preset with the sender's own settings", async () => {
    const database = await open();
    const profile = { preset: "exely", settings: { distribution: "ABC", noMinStay: ["7"] } };
    await createSender(database, { name: "pms", hotels: undefined, profile, now: 1 });
    const found = await findSender(database, "pms", "");
    const { preset, distribution, noMinStay, stayLimits, end } = found!.profile;
    assert.deepEqual([preset, distribution, noMinStay, stayLimits, end], ["exely", "ABC", ["7"], "through", "included"]);
  });

  test("keeps the profile of a sender that gets a new secret, and its secret if it gets a new profile", async () => {
    const database = await open();
    await createSender(database, { name: "pms", hotels: undefined, profile: { preset: "cubilis", settings: {} }, now: 1 });
    await createSender(database, { name: "pms", hotels: undefined, now: 2 });
    const before = await findSender(database, "pms", "");
    assert.equal(before?.profile.preset, "cubilis");
    assert.equal(await setProfile(database, "pms", { preset: "synxis", settings: {} }), true);
    const after = await findSender(database, "pms", "");
    assert.deepEqual([after?.profile.preset, after?.hash], ["synxis", before?.hash]);
    assert.equal(await setProfile(database, "bms", { preset: "synxis", settings: {} }), false);
  });
});
