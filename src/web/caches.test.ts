import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MemoryCache } from "./caches.ts";

const LIFETIME = 1000;

const cacheOf = (limit: number) => new MemoryCache<string>({ name: "test", about: "A test", limit, lifetime: LIFETIME });

const keptOf = (cache: MemoryCache<string>, ...keys: string[]) => keys.filter((key) => cache.get(key, 0) !== undefined).join("");

describe("MemoryCache", () => {
  test("evicts the least recently used entry beyond its limit", () => {
    const cache = cacheOf(3);
    for (const key of ["a", "b", "c"]) cache.set(key, key, 0);
    assert.equal(cache.get("a", 0), "a");
    cache.set("d", "d", 0);
    assert.equal(cache.describe().entries, 3);
    assert.equal(keptOf(cache, "a", "b", "c", "d"), "acd");
  });

  test("expires values and counts hits and misses", () => {
    const cache = cacheOf(2);
    cache.set("a", "a", 5);
    assert.equal(cache.get("a", 5 + LIFETIME - 1), "a");
    assert.equal(cache.get("a", 5 + LIFETIME), undefined);
    assert.equal(cache.get("a", 4), undefined, "if the clock was set back");
    assert.equal(cache.get("b", 5), undefined);
    const { hits, misses } = cache.describe();
    assert.deepEqual([hits, misses], [1, 3]);
  });

  test("MemoryCache is empty after it is cleared", () => {
    const cache = cacheOf(2);
    cache.set("a", "a", 0);
    cache.clear();
    assert.equal(cache.get("a", 0), undefined);
    assert.equal(cache.describe().entries, 0);
  });
});
