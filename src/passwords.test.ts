import assert from "node:assert/strict";
import { test } from "node:test";
import { isGuessable } from "./passwords.ts";

test("accepts long uncommon passwords in any script", () => {
  for (const password of [
    "correct-horse-battery",
    "only-for-looking",
    "a long password",
    "long-enough-1",
    "korrekt  Bündel Ω",
    "7f3kQz!m2x9w",
    "東京の小さな宿屋で朝食を食べる",
  ])
    assert.equal(isGuessable(password), false, password);
});

test("rejects short passwords, counting an emoji as one character however it is encoded", () => {
  assert.equal(isGuessable("7f3kQz!m2x9"), true);
  assert.equal(isGuessable("🏨🛏️🔑🍽️🧳🛎️🚿☕️"), true);
});

test("rejects common passwords in upper or lower case, even if repeated or surrounded by digits and symbols", () => {
  for (const password of [
    "password",
    "administrator",
    "Administrator",
    "1qaz2wsx3edc",
    "password1234!",
    "2024-password",
    "Welcome2026!!",
    "roomrack1234",
    "letmeinletmein",
    "ChangeMeChangeMe",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "1212121212121",
    "abcdefghijkl",
    "098765432109",
    "asdfghjklzxcvbnm",
  ])
    assert.equal(isGuessable(password), true, password);
});
