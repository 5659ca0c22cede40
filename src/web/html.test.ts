import assert from "node:assert/strict";
import { test } from "node:test";
import { type Html, html, TemplateRuntimeError } from "./html.ts";

test("throws TemplateRuntimeError for null and undefined, alone or in a list", () => {
  for (const value of [null, undefined, [html`one`, null], [undefined]]) {
    assert.throws(() => html`<p>${value as unknown as Html}</p>`, TemplateRuntimeError);
  }
});
