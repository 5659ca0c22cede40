import assert from "node:assert/strict";
import { test } from "node:test";
import { openChannel } from "../../../../test/support/channel.ts";
import { openFresh } from "../../../../test/support/databases.ts";
import { findMessage } from "../../../journal/messages.ts";
import { LARGE_MESSAGE_BYTES } from "../limits.ts";
import { UnauthenticatedQuota } from "./quotas.ts";

const BODY = `<a>${"x".repeat(65_000)}</a>`;

test("logs a limited number of unauthenticated messages but responds to all of them", async () => {
  const { database, remove } = await openFresh("SQLite");
  try {
    const channel = openChannel(database);
    const send = (remote: string) => channel.post({ body: BODY, open: false, remote });
    for (let time = 1; time <= 300; time++) assert.equal((await send("192.0.2.1")).status, 401);
    const { rows, bytes } = await database.read
      .selectFrom("message")
      .innerJoin("message_body", "message_body.message", "message.id")
      .select(({ fn }) => [fn.countAll<number>().as("rows"), fn.sum<number>("request_bytes").as("bytes")])
      .executeTakeFirstOrThrow();
    assert.ok(rows > 250 && rows < 300, `${rows} entries`);
    assert.ok(bytes > 16_000_000 && bytes < 16 * 1024 * 1024, `${bytes} bytes`);
    const other = await findMessage(database, (await send("192.0.2.2")).receipt!.id);
    assert.equal(Buffer.from(other!.bodies!.request).toString(), BODY);
    assert.ok(
      other!.notes!.advisories.includes(`${300 - rows} earlier unauthenticated messages were not logged, because too many arrived`),
    );
    assert.equal((await send("192.0.2.1")).receipt, undefined);
    const unlogged = await channel.post({ body: BODY + " ".repeat(LARGE_MESSAGE_BYTES), open: false, remote: "192.0.2.1" });
    assert.deepEqual([unlogged.status, unlogged.receipt], [401, undefined]);
    const next = await findMessage(database, (await send("192.0.2.2")).receipt!.id);
    assert.match(next!.notes!.advisories.join(), /^2 earlier unauthenticated messages were not logged/);
    const unread = await channel.post({ body: "busy", open: false, remote: "192.0.2.1" });
    assert.deepEqual([unread.status, unread.receipt], [429, undefined]);
    channel.clock.set(channel.clock.now() + 120_000);
    assert.ok((await send("192.0.2.1")).receipt, "there is room again after a while");
  } finally {
    await remove();
  }
});

test("limits the total size of logged unauthenticated messages from many addresses", () => {
  const quota = new UnauthenticatedQuota();
  const left = Array.from({ length: 2_000 }, (_, at) => quota.take({ remote: `10.0.${at >> 8}.${at & 255}`, now: 0, bytes: 65_536 }));
  const bytes = left.reduce((sum, one) => sum + (one?.bytes ?? 0), 0);
  assert.ok(bytes > 60_000_000 && bytes < 64 * 1024 * 1024, `${bytes} bytes`);
  assert.equal(left.at(-1), undefined);
});
