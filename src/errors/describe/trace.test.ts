import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScans } from "../../../test/support/cpu.ts";
import { readTrace } from "./trace.ts";

test("parses V8 frames, innermost first, and ends with the main frame", () => {
  const stack = `TypeError: broken
    at find (file:///srv/roomrack/src/modules/property/store.ts:12:7)
    at async Object.<anonymous> (/srv/roomrack/src/app.ts:40:3)
    at new Page (C:\\rooms\\page.ts:5:1)
    at /srv/roomrack/src/main.ts:9:1
    at async file:///srv/roomrack/src/routes.ts:75:3
    at node:internal/main/run:2:4
    at Array.map (<anonymous>)`;
  assert.deepEqual(readTrace(stack, "broken").lines, [
    "#0 /srv/roomrack/src/modules/property/store.ts(12): find",
    "#1 /srv/roomrack/src/app.ts(40): async Object.<anonymous>",
    "#2 C:\\rooms\\page.ts(5): new Page",
    "#3 /srv/roomrack/src/main.ts(9): {anonymous}",
    "#4 /srv/roomrack/src/routes.ts(75): async {anonymous}",
    "#5 node:internal/main/run(2): {anonymous}",
    "#6 <anonymous>(0): Array.map",
    "#7 {main}",
  ]);
});

test("ignores lines of a message that look like frames", () => {
  const message = "first\n    at forged (/etc/passwd:1:1)";
  const stack = `Error: ${message}\n    at real (/srv/app.ts:3:4)`;
  assert.deepEqual(readTrace(stack, message).lines, ["#0 /srv/app.ts(3): real", "#1 {main}"]);
});

test("parses all frames if the message was changed after the error was created", () => {
  const stack = "Error: as it was\n    at find (/srv/store.ts:3:4)\n    at show (/srv/routes.ts:5:6)";
  assert.deepEqual(readTrace(stack, "find").lines, ["#0 /srv/store.ts(3): find", "#1 /srv/routes.ts(5): show", "#2 {main}"]);
});

test("parses Firefox and Safari stacks", () => {
  const stack = "save@https://rooms.example/app.js:10:5\n@https://rooms.example/app.js:20:1\n";
  assert.deepEqual(readTrace(stack, "broken").lines, [
    "#0 https://rooms.example/app.js(10): save",
    "#1 https://rooms.example/app.js(20): {anonymous}",
    "#2 {main}",
  ]);
});

test("returns only the main frame if there is no stack", () => {
  assert.deepEqual(readTrace("", "").lines, ["#0 {main}"]);
});

test("parses a hostile stack in linear time", async () => {
  for (const [stack, lines] of [
    [`at ${" (".repeat(16_000)}`, 2],
    [`${"a ".repeat(16_000)}@x`, 1],
  ] as const)
    await assertScans(stack.length, 1_000, () => assert.equal(readTrace(stack, "").lines.length, lines));
});
