import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { type Channel, day, openChannel, SILENT } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { findMessage } from "../../../journal/messages.ts";
import type { RegisteredCache } from "../../../web/caches.ts";
import { wrapRequest } from "../example.ts";
import { DEFAULT_PROFILE } from "../profiles/profile.ts";
import { senderAccess } from "./access.ts";
import { disableSender, rotateSecret } from "./edit-store.ts";
import { listSenders } from "./store.ts";

const message = (hotel: string, pos = "") =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${pos}<Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
const basic = (name: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` });
const requestor = (name: string, secret: string) => `<POS><Source><RequestorID ID="${name}" MessagePassword="${secret}"/></Source></POS>`;
const BAD = /<Error Type="4" Code="497"[^>]*>Invalid Username and\/or Password</;

eachEngine("Senders", (open) => {
  let channel: Channel;
  let secret: string;
  before(async () => {
    channel = openChannel(await open());
    const { code } = await channel.hotel({ code: "OPEN" });
    const sent = await channel.post({ body: message(code), headers: basic("anyone", "anything") });
    assert.match(sent.text, /<Success\/>/, "without senders, open access includes the channel");
    assert.equal((await channel.post({ body: message(code), open: false })).status, 401);
    secret = await addSender(channel.database, { name: "pms" });
  });
  const soap = (hotel: string, token: string) =>
    wrapRequest(message(hotel), { transport: "soap11" })
      .body.toString()
      .replace(
        "<soap:Header/>",
        `<soap:Header><w:Security xmlns:w="urn:w" soap:mustUnderstand="1"><w:UsernameToken>${token}</w:UsernameToken></w:Security></soap:Header>`,
      );

  test("stores a secret only as a hash", async () => {
    assert.ok(secret.length >= 22);
    const row = await channel.database.read.selectFrom("sender").selectAll().where("name", "=", "pms").executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(row), new RegExp(secret));
    assert.deepEqual(
      (await listSenders(channel.database)).map(({ name, hotels }) => [name, hotels]),
      [["pms", undefined]],
    );
  });

  test("does not reuse an anonymous request's check for a concurrent request that needs credentials", async () => {
    const unguarded = openChannel(await open());
    const { code } = await unguarded.hotel();
    const ask = async (may: boolean) => (await unguarded.post({ body: message(code), open: may })).status;
    assert.deepEqual(await Promise.all([ask(true), ask(false), ask(true)]), [200, 401, 200]);
  });

  test("reports a malformed envelope even without credentials", async () => {
    const { body } = wrapRequest(message("OPEN"), { transport: "soap11" });
    const other = body.toString().replace("http://www.opentravel.org/OTA/2003/05", "urn:other");
    const { status, text } = await channel.post({ body: other });
    assert.equal(status, 400);
    assert.match(text, /Unexpected namespace urn:other/);
  });

  test("requires credentials as soon as there is a sender", async () => {
    const { code } = await channel.hotel();
    const none = await channel.post({ body: message(code) });
    assert.equal(none.status, 401);
    assert.match(none.text, BAD);
    assert.match(none.headers["www-authenticate"]!, /^Basic realm=/);
    assert.equal((await channel.post({ body: message(code), headers: basic("pms", "wrong") })).status, 401);
    assert.equal((await channel.post({ body: message(code), headers: basic("nobody", secret) })).status, 401);
    assert.equal(none.receipt?.verdict.outcome, "unauthorised");
  });

  test("accepts Basic, Bearer, RequestorID and WS-Security credentials", async () => {
    const { code } = await channel.hotel();
    for (const headers of [basic("pms", secret), { authorization: `Bearer ${secret}` }]) {
      const { text, receipt } = await channel.post({ body: message(code), headers });
      assert.match(text, /<Success\/>/);
      const row = await channel.database.read
        .selectFrom("message")
        .select("sender")
        .where("id", "=", receipt!.id)
        .executeTakeFirstOrThrow();
      assert.equal(row.sender, "pms");
    }
    assert.match((await channel.post({ body: message(code, requestor("pms", secret)) })).text, /<Success\/>/);
    const form = { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms" } as const;
    for (const [given, status] of [
      [secret, 200],
      ["wrong", 401],
    ] as const) {
      const answer = await channel.post({ ...wrapRequest(message(code, requestor("pms", given)), form), open: false });
      assert.equal(answer.status, status, answer.text);
    }
    const token = `<w:Username>pms</w:Username><w:Password>${secret}</w:Password>`;
    assert.match((await channel.post({ body: soap(code, token) })).text, /<Success\/>/);
    const indented = `\n  <w:Username>\n    pms\n  </w:Username>\n  <w:Password>\n    <![CDATA[${secret}]]>\n  </w:Password>\n`;
    assert.match((await channel.post({ body: soap(code, indented) })).text, /<Success\/>/, "in an indented document");
  });

  test("uses the first UsernameToken if there are several", async () => {
    const { code } = await channel.hotel();
    const pair = (name: string, given: string) => `<w:Username>${name}</w:Username><w:Password>${given}</w:Password>`;
    const again = soap(code, pair("pms", secret)).replace("</w:Security>", `<w:UsernameToken>${pair("other", "x")}</w:UsernameToken>$&`);
    assert.match((await channel.post({ body: again })).text, /<Success\/>/);
    const afterLogin = again.replace(
      "<soap:Header>",
      `$&<a:Login xmlns:a="urn:a"><a:Username>gate</a:Username><a:Password>y</a:Password></a:Login>`,
    );
    assert.match((await channel.post({ body: afterLogin })).text, /<Success\/>/);
  });

  test("accepts credentials in any Source of a POS", async () => {
    const { code } = await channel.hotel();
    const agency = '<POS><Source><RequestorID ID="agency"/></Source>';
    const { text, receipt } = await channel.post({ body: message(code, requestor("pms", secret).replace("<POS>", agency)) });
    assert.match(text, /<Success\/>/);
    const found = channel.database.read.selectFrom("message").select("sender").where("id", "=", receipt!.id);
    assert.equal((await found.executeTakeFirstOrThrow()).sender, "pms");
  });

  test("rejects a RequestorID without a password", async () => {
    const { code } = await channel.hotel();
    const pos = '<POS><Source><RequestorID Type="22" ID="pms"/></Source></POS>';
    assert.equal((await channel.post({ body: message(code, pos) })).status, 401);
  });

  test("returns status 200 and an error for wrong credentials in the body", async () => {
    const { code } = await channel.hotel();
    const inSoap = await channel.post({ body: soap(code, "<w:Username>pms</w:Username><w:Password>wrong</w:Password>") });
    assert.equal(inSoap.status, 200);
    assert.match(inSoap.text, BAD);
    const inPos = await channel.post({ body: message(code, requestor("pms", "wrong")) });
    assert.equal(inPos.status, 200);
    assert.match(inPos.text, BAD);
  });

  test("checks credentials in the body of an unsupported message", async () => {
    const answer = async (root: string, password: string) => {
      const { status, text } = await channel.post({ body: `<${root}>${requestor("pms", password)}</${root.split(" ")[0]}>` });
      return [status, /ShortText="([^"]+)"/.exec(text)?.[1]];
    };
    assert.deepEqual(await answer("OTA_ReadRQ", secret), [200, "OTA_ReadRQ is not implemented: reservations are not stored"]);
    assert.deepEqual(await answer("OTA_ReadRQ", "wrong"), [200, "Invalid Username and/or Password"]);
    assert.deepEqual(await answer('OTA_PingRQ xmlns="urn:other"', secret), [400, "Unexpected namespace urn:other"]);
    assert.deepEqual(await answer("Hello", secret), [400, "Unknown message &lt;Hello&gt;"]);
  });

  test("explains that PasswordDigest works only for senders that are set up for it", async () => {
    const { code } = await channel.hotel();
    const digest = '<w:Username>pms</w:Username><w:Password Type="urn:w#PasswordDigest">cGFzcw==</w:Password>';
    const { status, text } = await channel.post({ body: soap(code, digest) });
    assert.equal(status, 200);
    assert.match(text, /ShortText="Invalid Username and\/or Password"/);
    assert.match(text, />Invalid Username and\/or Password; allowed: a Password of Type #PasswordText, or #PasswordDigest if/);
  });

  test("refuses an AlpineBits message without credentials, and responds in plain text", async () => {
    const { code } = await channel.hotel();
    const { status, text, headers } = await channel.send(message(code), {
      transport: "alpinebits",
      action: "OTA_HotelInvCountNotif:FreeRooms",
      version: "2024-10",
    });
    assert.deepEqual([status, text], [401, "ERROR:Invalid Username and/or Password"]);
    assert.match(headers["www-authenticate"]!, /^Basic/);
  });

  test("reports an empty body before checking credentials", async () => {
    assert.equal((await channel.post({ body: "" })).status, 400);
  });

  test("requires credentials for an unreadable body", async () => {
    assert.equal((await channel.post({ body: "<a><b></a>" })).status, 401);
    assert.equal((await channel.post({ body: "<a><b></a>", headers: basic("pms", secret) })).status, 400);
  });

  test("logs the property and reason for a failed sign-in but returns the same response to everyone", async () => {
    const { code } = await channel.hotel();
    await addSender(channel.database, { name: "old" });
    await disableSender(channel.database, "old", BY_TEST);
    const answers = new Set<string>();
    for (const [headers, reason] of [
      [basic("pms", "wrong"), "wrong secret"],
      [basic("nobody", "wrong"), "unknown sender"],
      [basic("old", "wrong"), "the sender is disabled"],
      [{ authorization: "Bearer wrong" }, "unknown token"],
      [{}, "no credentials"],
    ] as [Record<string, string>, string][]) {
      const { status, text, receipt } = await channel.post({ body: message(code), headers });
      answers.add(`${status} ${text.replace(/TimeStamp="[^"]*"/, "")}`);
      const found = await findMessage(channel.database, receipt!.id);
      assert.deepEqual([found!.message.property, found!.message.outcome], [code, "unauthorised"]);
      assert.ok(found!.notes!.advisories.includes(`credentials: ${reason}`), found!.notes!.advisories.join());
    }
    assert.equal(answers.size, 1);
  });

  test("logs only the first 64 KiB of an unauthenticated message and marks it as truncated", async () => {
    const { code } = await channel.hotel();
    const large = message(code, `<POS>${" ".repeat(200_000)}</POS>`);
    const kept = async (headers: Record<string, string>) => {
      const { receipt } = await channel.post({ body: large, headers });
      const found = await findMessage(channel.database, receipt!.id);
      const notes = found!.notes!.advisories.filter((text) => text.includes("bytes"));
      return { body: Buffer.from(found!.bodies!.request).toString(), notes };
    };
    for (const headers of [basic("pms", "wrong"), {}] as Record<string, string>[]) {
      assert.deepEqual(await kept(headers), {
        body: large.slice(0, 65_536),
        notes: [`unauthenticated sender: only the first 65536 bytes are kept`],
      });
    }
    assert.deepEqual(await kept(basic("pms", secret)), { body: large, notes: [] });
    const short = await channel.post({ body: message(code), headers: basic("pms", "wrong") });
    assert.doesNotMatch(String(short.receipt?.verdict.notes.advisories), /bytes/);
  });

  test("logs only the first 64 KiB of an unauthenticated form without a message", async () => {
    const body = `request=&junk=${"x".repeat(200_000)}&action=OTA_HotelInvCountNotif%3AFreeRooms`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, receipt } = await channel.post({ body, headers });
    const found = await findMessage(channel.database, receipt!.id);
    assert.deepEqual([status, receipt?.verdict.outcome], [400, "malformed"]);
    assert.equal(found!.bodies!.request.length, 65_536);
  });

  test("masks secrets in a truncated message, wherever it is cut", async () => {
    const { code } = await channel.hotel();
    const pos = requestor("pms", "not-the-secret");
    const at = message(code, pos).indexOf("not-the-secret");
    const large = `<!--${" ".repeat(65_536 - at - 12)}-->${message(code, pos)}${" ".repeat(1_000)}`;
    const { receipt } = await channel.post({ body: large });
    const found = await findMessage(channel.database, receipt!.id);
    const text = Buffer.from(found!.bodies!.request).toString();
    assert.match(text.slice(-100), /MessagePassword="\[mask/);
    assert.doesNotMatch(text, /not-/);
  });

  test("reports an unreadable SOAP message without waiting for valid credentials", async () => {
    const body = soap("H", "<w:Username>pms</w:Username>");
    for (const [xml, status, words] of [
      [body.replace("OpenTravel/2003", "other").replace("opentravel.org/OTA/2003/05", "example.com"), 400, /Unexpected namespace/],
      [body.replace("</soap:Body>", ""), 500, /<soap:Fault>.*not well-formed/],
    ] as const) {
      const { text, ...answer } = await channel.post({ body: xml });
      assert.deepEqual([answer.status, answer.receipt?.verdict.outcome], [status, "unauthorised"]);
      assert.match(text, words);
    }
  });

  test("refuses a sender access to other properties", async () => {
    const [mine, other] = [await channel.hotel(), await channel.hotel()];
    const bound = await addSender(channel.database, { name: "bound", hotels: [mine.code] });
    const headers = basic("bound", bound);
    assert.match((await channel.post({ body: message(mine.code), headers })).text, /<Success\/>/);
    const { text } = await channel.post({ body: message(other.code), headers });
    assert.match(text, new RegExp(`<Error Type="6" Code="497"[^>]*>You do not have access to hotel ${other.code}<`));
    assert.deepEqual(await other.night(day(1), {}), {});
  });

  test("still requires credentials if every sender is disabled", async () => {
    const guarded = openChannel(await open());
    const { code } = await guarded.hotel();
    await addSender(guarded.database, { name: "gone" });
    await disableSender(guarded.database, "gone", BY_TEST);
    assert.equal((await guarded.post({ body: message(code) })).status, 401);
  });

  test("refuses a disabled sender and a replaced secret", async () => {
    const { code } = await channel.hotel();
    const first = await addSender(channel.database, { name: "brief" });
    const second = await rotateSecret(channel.database, { name: "brief" }, BY_TEST);
    assert.equal((await channel.post({ body: message(code), headers: basic("brief", first) })).status, 401);
    assert.match((await channel.post({ body: message(code), headers: basic("brief", second!) })).text, /<Success\/>/);
    assert.equal(await disableSender(channel.database, "brief", BY_TEST), "done");
    assert.equal((await channel.post({ body: message(code), headers: basic("brief", second!) })).status, 401);
    assert.equal(await disableSender(channel.database, "brief", BY_TEST), "unchanged");
  });

  test("records an internal error that occurs while checking credentials", async () => {
    const fault = new Error("ours");
    const failing: KyselyPlugin = {
      transformQuery() {
        throw fault;
      },
      transformResult: async ({ result }) => result,
    };
    const faulty = openChannel({ ...channel.database, read: channel.database.read.withPlugin(failing) });
    const { status, text, receipt } = await faulty.post({ body: message("OPEN"), headers: basic("pms", secret), open: false });
    assert.equal(status, 500);
    assert.match(text, new RegExp(`System error, reference ${receipt!.id}<`));
    assert.deepEqual(faulty.recorded, [fault]);
  });

  test("caches verified credentials until the cache is cleared", async () => {
    const { authenticate, caches } = senderAccess(channel, SILENT);
    const [cache] = caches as [RegisteredCache];
    const client = { credentials: { scheme: "basic", name: "pms", secret }, open: false, remote: undefined } as const;
    assert.deepEqual(await authenticate(client), {
      state: "sender",
      name: "pms",
      hotels: undefined,
      profile: DEFAULT_PROFILE,
      codes: undefined,
    });
    await authenticate(client);
    const { entries, hits } = cache.describe();
    assert.deepEqual([entries, hits], [1, 1]);
    cache.clear();
    assert.equal(cache.describe().entries, 0);
  });

  test("logs the addresses of successful and failed sign-ins without secrets", async () => {
    const told: [text: string, fields: unknown][] = [];
    const note = (fields: unknown, text = "") => void told.push([text, fields]);
    const { authenticate, caches } = senderAccess(channel, { info: note, warn: note });
    const [cache] = caches as [RegisteredCache];
    const ask = (given: string, remote = "192.0.2.1") =>
      authenticate({ credentials: { scheme: "basic", name: "pms", secret: given }, open: false, remote });
    for (let time = 0; time < 3; time++) {
      await ask(secret);
      cache.clear();
    }
    await ask("a guess");
    await ask(secret, "192.0.2.2");
    assert.deepEqual(told, [
      ["signed in", { ip: "192.0.2.1", user: "pms", role: "sender" }],
      ["wrong credential", { ip: "192.0.2.1", role: "sender" }],
      ["signed in", { ip: "192.0.2.2", user: "pms", role: "sender" }],
    ]);
  });

  test("locks out an address after repeated failures but still accepts valid credentials from it", async () => {
    const { database, clock } = channel;
    const { code } = await channel.hotel();
    const ask = (headers?: Record<string, string>, remote = "192.0.2.77") =>
      channel.post({ body: message(code), headers, open: false, remote });
    const guess = () => ask(basic("pms", "a guess"));
    for (let time = 0; time < 51; time++) assert.equal((await guess()).status, 401, "the first failures are free");
    const refused = await guess();
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "1"]);
    assert.match(refused.text, /Type="12" Code="191"[^>]*>System busy - please try later</);
    const { message: entry, bodies, notes } = (await findMessage(database, refused.receipt!.id))!;
    assert.deepEqual([entry.outcome, bodies!.request.length], ["unauthorised", 0]);
    assert.match(notes!.advisories.join(), /unauthenticated sender: message not read/);
    assert.match((await ask(basic("pms", secret))).text, /<Success\/>/, "valid credentials pass");
    assert.equal((await ask()).status, 401, "missing credentials are challenged");
    assert.equal((await ask(basic("pms", "a guess"), "192.0.2.78")).status, 401, "other addresses are not locked out");
    clock.set(clock.now() + 1_000);
    assert.equal((await guess()).status, 401);
    assert.equal((await guess()).headers["retry-after"], "2");
  });

  test("locks out an IPv6 /64 network, and an IPv4 address in any notation, as one address", async () => {
    const { code } = await channel.hotel();
    const guess = async (remote: string) =>
      (await channel.post({ body: message(code), headers: basic("pms", "x"), open: false, remote })).status;
    for (let host = 1; host <= 51; host++) assert.equal(await guess(`2001:db8:0:9::${host}`), 401);
    assert.equal(await guess("2001:DB8:0:09:ffff:1:2:3"), 429);
    assert.equal(await guess("2001:db8:0:a::1"), 401);
    for (let time = 1; time <= 51; time++) assert.equal(await guess("::ffff:192.0.2.99"), 401);
    assert.equal(await guess("192.0.2.99"), 429);
    assert.equal(await guess("::ffff:192.0.2.98"), 401);
  });
});
