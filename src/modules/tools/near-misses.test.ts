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

test("explains how many values are missing from a path", () => {
  const [first] = nearMisses("/category/x/edit", ROUTES);
  assert.deepEqual(first, {
    path: "/category/{hotelCode}/{code}/edit",
    why: "The route has 4 segments with 2 values: {hotelCode} and {code}; this path has 3 segments, so 1 is missing.",
  });
});

test("finds the route for a misspelled segment", () => {
  assert.equal(nearMisses("/propetry", ROUTES)[0]?.path, "/property");
  assert.equal(nearMisses("/dev/log/17", ROUTES)[0]?.why, "The route has “logs”, but this path has “log”.");
});

test("finds the route for a segment in upper case", () => {
  assert.deepEqual(nearMisses("/PROPERTY", ROUTES)[0], {
    path: "/property",
    why: "The route has “property”, but this path has “PROPERTY”.",
  });
});

test("explains an empty segment", () => {
  assert.deepEqual(nearMisses("/property/", ROUTES)[0], {
    path: "/property/{code}",
    why: "The path has an empty segment, which is not a valid value.",
  });
});

test("explains a value that is too long", () => {
  assert.deepEqual(nearMisses(`/property/${"x".repeat(601)}`, ROUTES)[0], {
    path: "/property/{code}",
    why: "The path matches, but a value in it is too long.",
  });
});

test("explains a value that cannot be decoded", () => {
  for (const value of ["%zz", "%00"])
    assert.equal(nearMisses(`/property/${value}`, ROUTES)[0]?.why, "The path matches, but a value in it is not valid text.");
});

test("tolerates at most two wrong letters", () => {
  const found = (path: string) => nearMisses(path, ["/category"])[0]?.path;
  for (const path of ["/categry", "/catgeory", "/cattegoryy"]) assert.equal(found(path), "/category", path);
  assert.equal(found("/kategorie"), undefined);
});

test("returns nothing for an unrelated path", () => {
  assert.deepEqual(nearMisses("/wp-admin/setup/config/php/index", ROUTES), []);
});
