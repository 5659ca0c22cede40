import assert from "node:assert/strict";
import { test } from "node:test";
import { stripPicture } from "./strip.ts";

/** The stretches of a picture, each as its steps: across from 0 to 120, and from 18, the foot, up to 1. */
function stretchesOf(values: readonly (number | undefined)[], foot = 0): string[] {
  const [, path = ""] = / d="([^"]*)"/.exec(stripPicture({ values, foot, title: "Rooms" }).text) ?? [];
  return path.split("M").slice(1);
}

test("a picture has a step for each change, and rises from the foot to the highest value", () => {
  assert.deepEqual(stretchesOf([0, 10, 10, 5]), ["0,18V18H30V1H90V9.5H120V18"]);
  assert.deepEqual(stretchesOf([110, 120], 100), ["0,18V9.5H60V1H120V18"]);
});

test("a gap in the row is one in the picture, and each stretch stands on the foot", () => {
  assert.deepEqual(stretchesOf([4, undefined, undefined, 4]), ["0,18V1H30V18", "90,18V1H120V18"]);
});

test("fewer than two numbers make no picture", () => {
  assert.equal(stripPicture({ values: [undefined, 3], foot: 0, title: "Rooms" }).text, "");
});
