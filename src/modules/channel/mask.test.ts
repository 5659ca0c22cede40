import assert from "node:assert/strict";
import { test } from "node:test";
import { keptHeaders, maskBody } from "./mask.ts";

const masked = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(maskBody(Buffer.from(text, encoding))).toString(encoding);

test("passwords in attributes, elements and URL-encoded forms are masked, and nothing else", () => {
  assert.equal(
    masked(`<RequestorID ID="a" MessagePassword = 'é"x' Type="1"/>`),
    `<RequestorID ID="a" MessagePassword = '[masked]' Type="1"/>`,
  );
  assert.equal(masked('<o:Password Type="#PasswordText">s&amp;t</o:Password>'), '<o:Password Type="#PasswordText">[masked]</o:Password>');
  assert.equal(
    masked("request=%3CRequestorID+MessagePassword%3D%22secret%22%2F%3E"),
    "request=%3CRequestorID+MessagePassword%3D%22[masked]%22%2F%3E",
  );
  assert.equal(masked('<a HotelName="Passwort é">x</a>'), '<a HotelName="Passwort é">x</a>');
});

test("a body in UTF-16 is masked too", () => {
  const xml = '\ufeff<RequestorID MessagePassword="secret"/>';
  assert.equal(masked(xml, "utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
  const bigEndian = Buffer.from(maskBody(Buffer.from(xml, "utf16le").swap16()));
  assert.equal(bigEndian.swap16().toString("utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
});

test("of the headers those that help are kept, credentials as their scheme alone", () => {
  const headers = { "content-type": "text/xml", authorization: "Basic c2VjcmV0", cookie: "sid=1", "user-agent": "x".repeat(900) };
  const kept = keptHeaders(headers);
  assert.equal(kept["authorization"], "Basic [masked]");
  assert.equal(kept["cookie"], undefined);
  assert.equal(kept["user-agent"]?.length, 500);
});
