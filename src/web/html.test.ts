import assert from "node:assert/strict";
import { test } from "node:test";
import { type Html, html, TemplateRuntimeError } from "./html.ts";

test("A null in a hole, alone or in a list, is told as an error of the template", () => {
  for (const hole of [null, undefined, [html`one`, null], [undefined]]) {
    assert.throws(() => html`<p>${hole as unknown as Html}</p>`, TemplateRuntimeError);
  }
});
