import assert from "node:assert/strict";
import { test } from "node:test";
import { selectHeaders } from "./kept-headers.ts";

test("keeps only useful headers, and only the scheme of the Authorization header", () => {
  const headers = { "content-type": "text/xml", authorization: "Basic c2VjcmV0", cookie: "sid=1", "user-agent": "x".repeat(900) };
  const kept = selectHeaders(headers);
  assert.equal(kept["authorization"], "Basic [masked]");
  assert.equal(kept["cookie"], undefined);
  assert.equal(kept["user-agent"]?.length, 500);
});

test("masks the whole Authorization header if its scheme is unknown", () => {
  const kept = (authorization: string) => selectHeaders({ authorization })["authorization"];
  assert.equal(kept("geheim"), "[masked]");
  assert.equal(kept("geheim heim"), "[masked]");
  assert.equal(kept("bearer\tgeheim"), "bearer [masked]");
  assert.equal(kept("Basic"), "Basic [masked]");
});

test("masks secrets in the other headers", () => {
  const kept = selectHeaders({
    soapaction: '"https://anna:geheim@host.example/ping?apikey=geheim&a=1"',
    "user-agent": "Bearer geheim123 eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.geheim",
    "x-alpinebits-clientid": "token=geheim",
  });
  assert.equal(kept["soapaction"], '"https://[masked]@host.example/ping?apikey=[masked]&a=1"');
  assert.equal(kept["user-agent"], "Bearer [masked] [masked]");
  assert.equal(kept["x-alpinebits-clientid"], "token=[masked]");
});
