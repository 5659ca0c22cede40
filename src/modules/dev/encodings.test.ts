import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { makeHotel, textOf } from "../../../test/support/hotel.ts";

const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>Grüße</EchoData></OTA_PingRQ>';
const LATIN = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${PING}`, "latin1");

test("opens a message in another encoding as text and resends it as UTF-8", async () => {
  await using service = await startApp();
  await post(service, LATIN, "application/xml");
  const visitor = service.visitor();
  const xml = areaOf((await visitor.get("/dev/channel?message=1")).body);
  assert.equal(xml, `<?xml version="1.0"?>${PING}`);
  assert.match(
    textOf(await visitor.post("/dev/channel", { action: "send", run: "dry", transport: "raw", xml })),
    /<EchoData>Grüße<\/EchoData>/,
  );
  const entry = await service.inject("/dev/logs/1");
  assert.match(textOf(entry), /<<'XML' <\?xml version="1\.0"\?><OTA_PingRQ .*Grüße/);
  assert.match(textOf(entry), /Request content-type.* <\?xml version="1\.0" encoding="ISO-8859-1"\?>/, "the raw request");
});

test("decodes a message with the charset in its Content-Type", async () => {
  await using service = await startApp();
  const cyrillic = Buffer.concat([
    Buffer.from(PING.replace(/Grüße.*/, "")),
    Buffer.from([0xcd, 0xe5, 0xf2]),
    Buffer.from("</EchoData></OTA_PingRQ>"),
  ]);
  assert.match(await post(service, cyrillic, "text/xml; charset=windows-1251"), /Нет/);
  for (const url of ["/dev/logs/1", "/dev/logs/1?body=request", "/dev/logs/1?format=json", "/dev/channel?message=1"])
    assert.match((await service.inject(url)).body, /Нет/, url);
});

test("sends a UTF-16 file through every transport and shows it as text", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const wide = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${PING}`, "utf16le");
  for (const transport of ["raw", "soap11", "soap12", "alpinebits"]) {
    const { body } = await sendFile(service.visitor(), wide, { transport, messageAction: "OTA_Ping:Handshaking", version: "" });
    assert.match(textOf({ body } as never), /Response 200/, transport);
    assert.equal(areaOf(body), `<?xml version="1.0"?>${PING}`, transport);
  }
});

test("accepts a file up to the message size limit", async () => {
  await using service = await startApp();
  const isTooLarge = async (bytes: number) => {
    const { body } = await sendFile(service.visitor(), Buffer.alloc(bytes, "<"), { transport: "raw" });
    return textOf({ body } as never).includes("Response 413") && body.includes("Message larger than 20 MB");
  };
  assert.deepEqual([await isTooLarge(20 * 1024 * 1024), await isTooLarge(20 * 1024 * 1024 + 1)], [false, true]);
});

test("replays bytes that are not text, but shows no curl command for them", async () => {
  await using service = await startApp();
  const bytes = Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x00, 0x80, 0x3e]);
  await post(service, bytes, "application/xml");
  const visitor = service.visitor();
  const text = textOf(await visitor.get("/dev/logs/1"));
  assert.match(text, /Replay .* No curl command\. The body is not valid text in its declared encoding\./);
  assert.doesNotMatch(text, /curl -i/);
  await visitor.post("/dev/logs/1", { action: "replay" });
  assert.match(textOf(await service.inject("/dev/logs/2")), /same body as #1/);
  assert.doesNotMatch((await sendFile(service.visitor(), bytes, { transport: "raw" })).body, /curl -i/);
});

test("stores only the size of a body whose compression is not supported", async () => {
  await using service = await startApp();
  const xml = Buffer.from(PING.replace("<EchoData>", '<POS><Source><RequestorID MessagePassword="geheim"/></Source></POS><EchoData>'));
  const sent = [
    [deflateSync(xml), "deflate"],
    [brotliCompressSync(xml), "br"],
    [gzipSync(xml).subarray(0, -6), "gzip"],
    [gzipSync(xml), ""],
    [xml, "utf-8"],
  ] as const;
  for (const [payload, coding] of sent) {
    const headers = { "content-type": "text/xml", ...(coding !== "" && { "content-encoding": coding }) };
    await service.inject({ method: "POST", url: "/channel", headers, payload });
  }
  const kept = await Promise.all(sent.map(async (_, index) => (await service.inject(`/dev/logs/${index + 1}?body=request`)).body));
  const notes = sent.slice(0, -1).map(([{ length }]) => `[masked: ${length} bytes that are not text]`);
  assert.deepEqual(kept, [...notes, xml.toString().replace("geheim", "[masked]")]);
});

test("does not put an overlong message into the text field", async () => {
  await using service = await startApp();
  await post(service, Buffer.from(PING.replace("<EchoData>", `<!--${"x".repeat(999_999)}--><EchoData>`)), "application/xml");
  const { body } = await service.inject("/dev/channel?message=1");
  assert.equal(areaOf(body), "");
  assert.match(textOf({ body } as never), /This message has 1,000,1\d\d characters, too many to edit here\. Replay it/);
});

test("warns that the curl command is not a dry run", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const sent = async (run: string) => textOf(await visitor.post("/dev/channel", { action: "send", run, transport: "raw", xml: PING }));
  assert.match(await sent("dry"), /Send with curl This command is not a dry run unless the root element has Target="Test"/);
  assert.doesNotMatch(await sent("apply"), /not a dry run/);
});

async function post(service: TestApp, payload: Buffer, type: string): Promise<string> {
  return (await service.inject({ method: "POST", url: "/channel", headers: { "content-type": type }, payload })).body;
}

async function sendFile(visitor: Visitor, file: Buffer, fields: Record<string, string>) {
  const token = /name="_csrf" value="([^"]+)"/.exec((await visitor.get("/dev/channel")).body)![1]!;
  const form = new FormData();
  for (const [name, value] of Object.entries({ _csrf: token, action: "send", run: "dry", xml: "", ...fields })) form.append(name, value);
  form.append("file", new Blob([Buffer.from(file)]), "message.xml");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return visitor.send("/dev/channel", Buffer.from(await request.arrayBuffer()), { "content-type": request.headers.get("content-type")! });
}

function areaOf(body: string): string {
  const [, text = ""] = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(body) ?? [];
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
