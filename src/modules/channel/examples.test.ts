import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../test/support/channel.ts";
import { exampleRequest } from "./example.ts";
import { publishedMessages } from "./messages/index.ts";
import { presetExamples } from "./profiles/presets.ts";

const rates = publishedMessages.flatMap(({ examples }) => examples).find(({ name }) => name === "amounts-by-guests")!;
const examples = publishedMessages.flatMap((message) => message.examples.map((example) => ({ message, example })));

test("gives every example a unique name", () => {
  const names = [...examples.map(({ example }) => example), ...presetExamples].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test("includes an example that succeeds for every message type", () => {
  for (const message of publishedMessages)
    assert.ok(
      message.examples.some(({ expect }) => expect === undefined),
      message.root,
    );
});

eachChannel("Examples", (channel) => {
  for (const { message, example } of examples) {
    test(`${example.name}: ${example.description}`, async () => {
      const { code: hotel } = await channel.hotel();
      const codes = { hotel, category: "DBL", plan: "BAR", currency: "EUR", day };
      await channel.post(exampleRequest(rates, codes));
      const { receipt, text } = await channel.post(exampleRequest(example, codes));
      const { outcome, notes } = receipt!.verdict;
      if (typeof example.expect === "object") {
        assert.deepEqual([outcome, notes.errors[0]?.code], ["refused", example.expect.refused], text);
        assert.equal(receipt!.changedNights, 0);
      } else {
        assert.equal(outcome, example.expect ?? "ok", text);
        assert.ok(text.includes(example.transport === "json" ? '"data"' : message.root.replace(/RQ$/, "RS")));
      }
    });
  }
});

eachChannel("Examples for presets", (channel) => {
  for (const example of presetExamples) {
    test(`${example.name}: ${example.description}`, async () => {
      const { code: hotel } = await channel.hotel();
      const send = await channel.as(example.profile!, [hotel]);
      const codes = { hotel, category: "DBL", plan: "BAR", currency: "EUR", day };
      const { receipt, text } = await send(example.xml(codes), { transport: "raw", ...example });
      assert.equal(receipt!.verdict.outcome, "ok", text);
      assert.equal(receipt!.verdict.notes.advisories.filter((note) => note.includes("npm run sender")).length, 0);
    });
  }
});
