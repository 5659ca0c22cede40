import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startApp, type TestApp } from "../../../../test/support/app.ts";
import { assertScans } from "../../../../test/support/cpu.ts";

const PING = `<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>hello</EchoData></OTA_PingRQ>`;

function schemaOf(root: string): string {
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.opentravel.org/OTA/2003/05" elementFormDefault="qualified">
  <xs:element name="${root}"><xs:complexType>
    <xs:sequence><xs:element name="EchoData" type="xs:string"/></xs:sequence>
    <xs:attribute name="Version" type="xs:decimal" use="required"/>
  </xs:complexType></xs:element>
</xs:schema>`;
}

describe("schema validation in the console", () => {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-schemas-"));
  let service: TestApp;

  before(async () => {
    mkdirSync(join(folder, "alpinebits", "2024-10"), { recursive: true });
    writeFileSync(join(folder, "OTA_PingRQ.xsd"), schemaOf("OTA_PingRQ"));
    writeFileSync(join(folder, "alpinebits", "2024-10", "alpinebits.xsd"), schemaOf("OTA_PingRQ"));
    service = await startApp({ settings: { SCHEMA_DIR: folder } });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  async function send(fields: Record<string, string>): Promise<string> {
    const visitor = service.visitor();
    const answer = await visitor.post("/dev/channel", { action: "send", run: "dry", transport: "raw", ...fields });
    assert.equal(answer.statusCode, 200);
    return answer.body.replaceAll(/\s+/g, " ");
  }

  test("reports a valid message", async () => {
    const page = await send({ xml: PING });
    assert.match(page, /The message<\/b> is valid against <code>OTA_PingRQ\.xsd/);
    assert.doesNotMatch(page, /The response<\/b> is/);
  });

  test("reports errors with line numbers and still accepts the message", async () => {
    const page = await send({
      xml: PING.replace(' Version="1.0"', "").replace("<EchoData>", "\n<EchoDate>").replace("</EchoData>", "</EchoDate>"),
    });
    assert.match(page, /The message<\/b> is not valid against/);
    assert.match(page, /line 1: .*Version/);
    assert.match(page, /line 2: .*EchoDate/);
    assert.match(page, /Response 200/);
  });

  test("validates an AlpineBits message and its response against the schema of its version", async () => {
    const page = await send({ transport: "alpinebits", version: "2024-10", messageAction: "OTA_Ping:Handshaking", xml: PING });
    assert.match(page, /The message<\/b> is valid against <code>alpinebits/);
    assert.match(page, /The response<\/b> is not valid against <code>alpinebits/);
  });

  test("finds the root element after comments, even after many unclosed ones", async () => {
    assert.match(await send({ xml: `<!-- <OTA_Other> -->${PING}` }), /The message<\/b> is valid against <code>OTA_PingRQ\.xsd/);
    const xml = "<!--".repeat(100_000);
    await assertScans(xml.length, 1_000, () => send({ xml }));
  });

  test("shows no result without a schema", async () => {
    const page = await send({ transport: "alpinebits", version: "2018-10", messageAction: "OTA_Ping:Handshaking", xml: PING });
    assert.match(page, /Response 200/);
    assert.doesNotMatch(page, /<h3>Schema/);
  });

  test("reports the line of a syntax error", async () => {
    assert.match(await send({ xml: "<OTA_PingRQ>\n<a></OTA_PingRQ>" }), /The message<\/b> is not valid against .*line 2/);
  });
});
