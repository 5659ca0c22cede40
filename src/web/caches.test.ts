import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MemoryCache } from "./caches.ts";

const LIFETIME = 1000;

const cacheOf = (limit: number, heaviest?: number) => {
  const weight = heaviest === undefined ? {} : { weight: { of: (value: string) => value.length, limit: heaviest } };
  return new MemoryCache<string>({ name: "test", about: "Of a test", limit, lifetime: LIFETIME, ...weight });
};

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

  test("values weigh no more together than they may: as many go as must", () => {
    const cache = cacheOf(100, 10);
    cache.set("a", "1234", 0);
    cache.set("b", "1234", 0);
    cache.set("c", "12", 0);
    assert.equal(cache.describe().entries, 3, "just as heavy as may be");
    cache.set("d", "12345", 0);
    assert.equal(keptOf(cache, "a", "b", "c", "d"), "cd");
  });

  test("what is replaced or cleared weighs nothing any more, and what is too heavy is not kept", () => {
    const cache = cacheOf(100, 10);
    for (let time = 0; time < 5; time++) cache.set("a", "1234", 0);
    cache.set("b", "123456", 0);
    assert.equal(keptOf(cache, "a", "b"), "ab");
    cache.clear();
    cache.set("c", "1234567890", 0);
    assert.equal(keptOf(cache, "a", "b", "c"), "c");
    cache.set("d", "12345678901", 0);
    assert.equal(cache.describe().entries, 0);
    cache.set("e", "1234567890", 0);
    assert.equal(keptOf(cache, "e"), "e");
  });
});
