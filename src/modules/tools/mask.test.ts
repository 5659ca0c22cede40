import assert from "node:assert/strict";
import { test } from "node:test";
import { maskUrl, maskUrlPath } from "./pages/env.ts";

test("masks only the password in a URL", () => {
  const shown = maskUrl("postgres://rooms:s3cr%40t@db.example.com/rooms?sslmode=require&sslpassword=hush");
  assert.equal(shown, "postgres://rooms@db.example.com/rooms?sslmode=require (password set; sslpassword set)");
  assert.equal(maskUrl("https://rooms.example.com/x"), "https://rooms.example.com/x");
});

test("masks every secret parameter in a URL", () => {
  const shown = maskUrl("postgres://db/rooms?options=-c&sslkey=hush1&auth_token=hush2&clientSecret=hush3");
  assert.equal(shown, "postgres://db/rooms?options=-c (sslkey set; auth_token set; clientSecret set)");
});

test("keeps only the host of a URL with a secret path", () => {
  assert.equal(maskUrlPath("https://hooks.example.com:8443/T0/s3cret?key=hush"), "https://hooks.example.com:8443/…");
});

test("masks a password with a stray percent sign", () => {
  assert.equal(maskUrl("postgres://rooms:100%@db/rooms"), "postgres://rooms@db/rooms (password set)");
});

test("masks an invalid URL completely", () => {
  assert.equal(maskUrl("postgres://rooms:s3cret@[db/rooms"), "set");
});
