import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage, toCell } from "./page.ts";

class SearchedTexts extends Array<string> {
  searches = 0;

  override indexOf(text: string): number {
    this.searches++;
    return super.indexOf(text);
  }
}

test("stores each string once without scanning a long list of strings", () => {
  const stored = new SearchedTexts();
  const page = { ...emptyPage(0), texts: stored };
  const texts = Array.from({ length: 2_000 }, (_, index) => `text ${index}`);
  const cells = [...texts, ...texts].map((text) => toCell(page, "extras", text));
  assert.deepEqual([...stored], texts);
  assert.deepEqual(
    cells.map((cell) => stored[cell]),
    [...texts, ...texts],
  );
  assert.ok(stored.searches < 20, `${stored.searches} searches`);
});
