import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../test/support/channel.ts";
import { narrowLines } from "../../../../test/support/fuzz/narrow.ts";

eachChannel("Messages with random limits", (channel) => {
  test("never changes more than a line's limits allow", async () => {
    assert.deepEqual(await narrowLines(channel, { pairs: 300, seed: 20_261_126 }), []);
  });
});
