import assert from "node:assert/strict";
import { test } from "node:test";
import { nearMisses } from "./near-misses.ts";

const ROUTES = [
  "/",
  "/property",
  "/property/{code}",
  "/property/{code}/edit",
  "/category",
  "/category/{hotelCode}/{code}/edit",
  "/dev/logs",
  "/dev/logs/{id}",
];

test("A category edit path with one code says which values it needs", () => {
  const [first] = nearMisses("/category/x/edit", ROUTES);
  assert.deepEqual(first, {
    path: "/category/{hotelCode}/{code}/edit",
    why: "It has 4 segments with 2 values: {hotelCode} and {code}; this path has 3 segments, so 1 is missing.",
  });
});

test("A misspelled word leads to the right one", () => {
  assert.equal(nearMisses("/propetry", ROUTES)[0]?.path, "/property");
  assert.equal(nearMisses("/dev/log/17", ROUTES)[0]?.why, "It has “logs” where this path has “log”.");
});

test("A word in capitals leads to the one that is not", () => {
  assert.deepEqual(nearMisses("/PROPERTY", ROUTES)[0], { path: "/property", why: "It has “property” where this path has “PROPERTY”." });
});

test("An empty segment is said to be no value", () => {
  assert.deepEqual(nearMisses("/property/", ROUTES)[0], {
    path: "/property/{code}",
    why: "The path has an empty segment, and an empty segment is no value.",
  });
});

test("A value that no route takes is said to be too long", () => {
  assert.deepEqual(nearMisses(`/property/${"x".repeat(300)}`, ROUTES)[0], {
    path: "/property/{code}",
    why: "The path fits, but a value in it is too long.",
  });
});

test("A value that cannot be decoded is said to be no text", () => {
  for (const value of ["%zz", "%00"])
    assert.equal(nearMisses(`/property/${value}`, ROUTES)[0]?.why, "The path fits, but a value in it is no text.");
});

test("A word with more than two wrong letters is another word", () => {
  const found = (path: string) => nearMisses(path, ["/category"])[0]?.path;
  for (const path of ["/categry", "/catgeory", "/cattegoryy"]) assert.equal(found(path), "/category", path);
  assert.equal(found("/kategorie"), undefined);
});

test("A path that is like none has no near misses", () => {
  assert.deepEqual(nearMisses("/wp-admin/setup/config/php/index", ROUTES), []);
});
