import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MemoryCache } from "./caches.ts";

const LIFETIME = 1000;

const cacheOf = (limit: number) => new MemoryCache<string>({ name: "test", about: "Of a test", limit, lifetime: LIFETIME });

const keptOf = (cache: MemoryCache<string>, ...keys: string[]) => keys.filter((key) => cache.get(key, 0) !== undefined).join("");

describe("A cache in memory", () => {
  test("keeps as many as it may: the one used longest ago goes first", () => {
    const cache = cacheOf(3);
    for (const key of ["a", "b", "c"]) cache.set(key, key, 0);
    assert.equal(cache.get("a", 0), "a");
    cache.set("d", "d", 0);
    assert.equal(cache.describe().entries, 3);
    assert.equal(keptOf(cache, "a", "b", "c", "d"), "acd");
  });

  test("a value that is set again takes the place of its own, and is the last to go", () => {
    const cache = cacheOf(2);
    cache.set("a", "old", 0);
    cache.set("b", "b", 0);
    cache.set("a", "new", 0);
    assert.equal(cache.describe().entries, 2);
    cache.set("c", "c", 0);
    assert.equal(cache.get("a", 0), "new");
    assert.equal(cache.get("b", 0), undefined);
  });

  test("a value is known until its time is over, and both are counted", () => {
    const cache = cacheOf(2);
    cache.set("a", "a", 5);
    assert.equal(cache.get("a", 5 + LIFETIME - 1), "a");
    assert.equal(cache.get("a", 5 + LIFETIME), undefined);
    assert.equal(cache.get("a", 4), undefined, "of a clock that was set back");
    assert.equal(cache.get("b", 5), undefined);
    const { hits, misses } = cache.describe();
    assert.deepEqual([hits, misses], [1, 3]);
  });

  test("keeps nothing once it was cleared", () => {
    const cache = cacheOf(2);
    cache.set("a", "a", 0);
    cache.clear();
    assert.equal(cache.get("a", 0), undefined);
    assert.equal(cache.describe().entries, 0);
  });
});
