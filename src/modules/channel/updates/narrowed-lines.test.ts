import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../test/support/channel.ts";
import { narrowLines } from "../../../../test/support/fuzz/narrow.ts";

eachChannel("A message with a random limit", (channel) => {
  test("a message with a random limit never changes more than the limit allows", async () => {
    assert.deepEqual(await narrowLines(channel, { pairs: 300, seed: 20_261_126 }), []);
  });
});
