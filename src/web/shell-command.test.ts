import assert from "node:assert/strict";
import { test } from "node:test";
import { asCurl } from "./shell-command.ts";

test("quotes curl commands for the shell and omits curl's own headers", () => {
  const command = asCurl({ method: "PUT", url: "http://h/it's", headers: { host: "h", accept: "text/html" } });
  assert.equal(command, `curl -X PUT \\\n  'http://h/it'\\''s' \\\n  -H 'accept: text/html'`);
});

test("makes curl send brackets, braces and dots unchanged", () => {
  const optionsOf = (url: string) => asCurl({ method: "GET", url, headers: {} }).match(/--[a-z-]+/g);
  assert.deepEqual(optionsOf("http://h/a?b[]=1"), ["--globoff"]);
  assert.deepEqual(optionsOf("http://h/{code}"), ["--globoff"]);
  assert.deepEqual(optionsOf("http://h/a/../b"), ["--path-as-is"]);
  assert.deepEqual(optionsOf("http://h/.?a={}"), ["--globoff", "--path-as-is"]);
  assert.equal(optionsOf("http://h/.env/a..b?c=../d"), null);
});
