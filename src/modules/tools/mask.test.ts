import assert from "node:assert/strict";
import { test } from "node:test";
import { mask, maskAddress, maskPath } from "./mask.ts";

test("A masked secret tells its length and the start of its hash", () => {
  assert.equal(mask("abc"), "set, 3 characters, sha256:ba78…");
});

test("An address keeps everything but its password", () => {
  const shown = maskAddress("postgres://rooms:s3cr%40t@db.example.com/rooms?sslmode=require&sslpassword=hush");
  assert.match(
    shown,
    /^postgres:\/\/rooms@db\.example\.com\/rooms\?sslmode=require \(password set, 6 characters, sha256:[0-9a-f]{4}…; sslpassword set, 4 characters/,
  );
  assert.doesNotMatch(shown, /s3cr|hush/);
  assert.equal(maskAddress("https://rooms.example.com/x"), "https://rooms.example.com/x");
});

test("Whatever parameter of an address is a secret by its name is masked", () => {
  const shown = maskAddress("postgres://db/rooms?options=-c&sslkey=hush1&auth_token=hush2&clientSecret=hush3");
  assert.match(shown, /^postgres:\/\/db\/rooms\?options=-c \(sslkey set, .*; auth_token set, .*; clientSecret set, /);
  assert.doesNotMatch(shown, /hush/);
});

test("An address whose path is a secret keeps its host alone", () => {
  assert.match(
    maskPath("https://hooks.example.com:8443/T0/s3cret?key=hush"),
    /^https:\/\/hooks\.example\.com:8443\/… \(set, 49 characters, sha256:[0-9a-f]{4}…\)$/,
  );
});

test("A password with a percent sign that stands for nothing is masked as it is", () => {
  assert.match(maskAddress("postgres://rooms:100%@db/rooms"), /^postgres:\/\/rooms@db\/rooms \(password set, 4 characters, /);
});

test("An address that cannot be read is masked whole", () => {
  assert.match(maskAddress("postgres://rooms:s3cret@[db/rooms"), /^set, 33 characters, sha256:[0-9a-f]{4}…$/);
});
