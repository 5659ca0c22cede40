import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import { type Channel, day, NOON, openChannel, SILENT } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { findMessage } from "../../../journal/messages.ts";
import { wrapRequest } from "../example.ts";
import { senderAccess } from "./access.ts";
import { matchesDigest } from "./digest.ts";
import { disableSender, enableSender, revokeOldSecret, narrowScope, rotateSecret, setExpiry, disableDigest } from "./edit-store.ts";
import { findSender } from "./store.ts";

const HOUR = 3_600_000;
const message = (hotel: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

type Token = { secret: string; nonce?: string; created?: string; digest?: string };

const time = (at: number) => new Date(at).toISOString();
const digestOf = ({ secret, nonce = "bm9uY2U=", created = time(NOON) }: Token) =>
  createHash("sha1").update(Buffer.from(nonce, "base64")).update(created).update(secret).digest("base64");
const element = (name: string, value: string) => (value === "" ? "" : `<w:${name}>${value}</w:${name}>`);

/** A SOAP message with a digest as in WSS UsernameToken Profile 1.1. */
function withDigest(hotel: string, name: string, token: Token): string {
  const { nonce = "bm9uY2U=", created = time(NOON), digest = digestOf(token) } = token;
  const password = `<w:Password Type="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest">${digest}</w:Password>`;
  const parts = element("Username", name) + password + element("Nonce", nonce) + element("Created", created);
  const header = `<soap:Header><w:Security xmlns:w="urn:w"><w:UsernameToken>${parts}</w:UsernameToken></w:Security></soap:Header>`;
  return wrapRequest(message(hotel), { transport: "soap11" }).body.toString().replace("<soap:Header/>", header);
}

eachEngine("Signing in", (open) => {
  let channel: Channel;
  let hotel: string;
  let names = 0;
  before(async () => {
    channel = openChannel(await open());
    hotel = (await channel.hotel()).code;
    await addSender(channel.database, { name: "first" });
  });
  const newName = () => `sender ${++names}`;
  const post = (headers: Record<string, string>, body = message(hotel)) => channel.post({ body, headers });
  const ask = (secret: string) => post({ authorization: `Bearer ${secret}` });
  const isAccepted = async (answer: ReturnType<typeof post>) => (await answer).text.includes("<Success/>");
  const reasonOf = async (answer: ReturnType<typeof post>) => {
    const { text, receipt } = await answer;
    assert.match(text, /Code="497"[^>]*>Invalid Username and\/or Password/);
    const found = await findMessage(channel.database, receipt!.id);
    return found!.notes!.advisories.find((one) => one.startsWith("credentials: "))?.slice("credentials: ".length);
  };
  const reset = () => channel.clock.set(NOON);

  test("accepts the old secret until the chosen time, and then only the new one", async () => {
    const name = newName();
    const old = await addSender(channel.database, { name });
    assert.ok(await isAccepted(ask(old)));
    const fresh = (await rotateSecret(channel.database, { name, oldUntil: NOON + HOUR }, BY_TEST))!;
    assert.deepEqual([await isAccepted(ask(old)), await isAccepted(ask(fresh))], [true, true]);
    channel.clock.set(NOON + HOUR);
    assert.equal(await reasonOf(ask(old)), "the secret was replaced");
    assert.ok(await isAccepted(ask(fresh)));
    reset();
    assert.equal(await revokeOldSecret(channel.database, name, BY_TEST), "done");
    assert.equal(await reasonOf(ask(old)), "the secret was replaced");
  });

  test("refuses an expired secret, even if a rotation would still accept it", async () => {
    const name = newName();
    const old = await addSender(channel.database, { name, expiresAt: NOON + HOUR });
    assert.ok(await isAccepted(ask(old)));
    channel.clock.set(NOON + HOUR);
    assert.equal(await reasonOf(ask(old)), "the secret has expired");
    const fresh = (await rotateSecret(channel.database, { name, oldUntil: NOON + 9 * HOUR }, BY_TEST))!;
    assert.equal(await reasonOf(ask(old)), "the secret was replaced");
    assert.ok(await isAccepted(ask(fresh)), "the expiry applied to the old secret");
    reset();
  });

  test("applies every change to a sender immediately in the same process", async () => {
    const name = newName();
    const secret = await addSender(channel.database, { name });
    const { database } = channel;
    assert.ok(await isAccepted(ask(secret)));
    await disableSender(database, name, BY_TEST);
    assert.equal(await reasonOf(ask(secret)), "the sender is disabled");
    await enableSender(database, name, BY_TEST);
    assert.ok(await isAccepted(ask(secret)));
    await narrowScope(database, { name, hotels: ["OTHER"] }, BY_TEST);
    assert.match((await ask(secret)).text, /You do not have access to hotel/);
    await setExpiry(database, { name, expiresAt: NOON }, BY_TEST);
    assert.equal(await reasonOf(ask(secret)), "the secret has expired");
    await setExpiry(database, { name, expiresAt: undefined }, BY_TEST);
    await rotateSecret(database, { name }, BY_TEST);
    assert.equal(await reasonOf(ask(secret)), "the secret was replaced");
  });

  test("accepts the secret in an API-key header without logging it", async () => {
    const secret = await addSender(channel.database, { name: newName() });
    for (const header of ["x-api-key", "api-key"]) {
      const { text, receipt } = await post({ [header]: secret });
      assert.match(text, /<Success\/>/);
      const found = await findMessage(channel.database, receipt!.id);
      assert.equal(found!.notes!.headers[header], "[masked]");
      assert.doesNotMatch(JSON.stringify(found!.notes), new RegExp(secret));
    }
    assert.equal(await reasonOf(post({ "x-api-key": "wrong" })), "unknown token");
    assert.ok(!(await isAccepted(post({ "x-api-key": secret, authorization: "Bearer wrong" }))), "Authorization wins");
  });

  test("records when a sender signed in", async () => {
    const name = newName();
    const secret = await addSender(channel.database, { name });
    await ask(secret);
    while ((await findSender(channel.database, name))?.usedAt === undefined) await new Promise(setImmediate);
    assert.equal((await findSender(channel.database, name))?.usedAt, NOON);
  });

  test("accepts credentials even if the time of the sign-in can't be stored", async () => {
    const name = newName();
    const secret = await addSender(channel.database, { name });
    const refusing = { updateTable: () => assert.fail("read-only") } as never;
    const { authenticate } = senderAccess({ database: { ...channel.database, write: refusing }, clock: channel.clock }, SILENT);
    const found = await authenticate({ credentials: { scheme: "bearer", name: undefined, secret }, open: false, remote: "192.0.2.1" });
    assert.equal(found.state, "sender");
  });

  test("checks a digest according to WSS UsernameToken Profile 1.1", async () => {
    const published = { digest: "tuOSpGlFlIXsozq4HFNeeGeFLEI=", nonce: "LKqI6G/AikKCQrN0zqZFlg==", created: "2010-09-16T07:50:45Z" };
    assert.ok(matchesDigest("userpassword", published), "the example of the ONVIF Application Programmer's Guide");
    const name = newName();
    const secret = await addSender(channel.database, { name, digest: true });
    const send = (token: Omit<Token, "secret">) => post({}, withDigest(hotel, name, { secret, ...token }));
    assert.ok(await isAccepted(send({ nonce: "b25l" })));
    assert.equal(await reasonOf(send({ nonce: "b25l" })), "the digest has already been used");
    assert.equal(await reasonOf(send({ nonce: "b25l", created: time(NOON + 1_000) })), "the digest has already been used");
    assert.equal(await reasonOf(send({ nonce: "dHdv", digest: digestOf({ secret: "guess", nonce: "dHdv" }) })), "wrong secret");
    assert.ok(await isAccepted(send({ nonce: "dHdv" })), "a wrong digest does not use up its nonce");
    const tooOld = time(NOON - 5 * 60_000 - 1);
    assert.equal(await reasonOf(send({ nonce: "dGhy", created: tooOld })), "Created differs too much from the server's time");
    assert.ok(await isAccepted(send({ nonce: "dGhy", created: time(NOON - 5 * 60_000) })));
    assert.equal(
      await reasonOf(send({ nonce: "Zm91", created: time(NOON + 5 * 60_000 + 1) })),
      "Created differs too much from the server's time",
    );
    assert.equal(await reasonOf(send({ nonce: "Zm91", created: "2026-11-20T12:00:00" })), "Created is not a time with a time zone");
    for (const part of [{ nonce: "" }, { created: "" }])
      assert.equal(await reasonOf(send(part)), "PasswordDigest without Nonce or Created");
    assert.ok(await isAccepted(post({ authorization: `Bearer ${secret}` })), "the secret itself is still accepted");
  });

  test("remembers a nonce for as long as its digest would be accepted", async () => {
    const name = newName();
    const secret = await addSender(channel.database, { name, digest: true });
    const created = time(NOON + 5 * 60_000);
    const send = () => post({}, withDigest(hotel, name, { secret, created }));
    assert.ok(await isAccepted(send()));
    channel.clock.set(NOON + 10 * 60_000);
    assert.equal(await reasonOf(send()), "the digest has already been used");
    channel.clock.set(NOON + 10 * 60_000 + 1);
    assert.equal(await reasonOf(send()), "Created differs too much from the server's time");
    reset();
  });

  test("accepts a digest only from senders that are set up for it, and a digest of the old secret during the overlap", async () => {
    const name = newName();
    const plain = await addSender(channel.database, { name });
    let nonces = 0;
    const send = (secret: string) => post({}, withDigest(hotel, name, { secret, nonce: Buffer.from(`n${++nonces}`).toString("base64") }));
    assert.equal(await reasonOf(send(plain)), "the sender is not set up for PasswordDigest");
    const first = (await rotateSecret(channel.database, { name, digest: true }, BY_TEST))!;
    assert.ok(await isAccepted(send(first)));
    const second = (await rotateSecret(channel.database, { name, oldUntil: NOON + HOUR }, BY_TEST))!;
    assert.deepEqual([await isAccepted(send(first)), await isAccepted(send(second))], [true, true]);
    await revokeOldSecret(channel.database, name, BY_TEST);
    assert.equal(await reasonOf(send(first)), "wrong secret");
    await disableSender(channel.database, name, BY_TEST);
    assert.equal(await reasonOf(send(second)), "the sender is disabled");
    await enableSender(channel.database, name, BY_TEST);
    await disableDigest(channel.database, name, BY_TEST);
    assert.equal(await reasonOf(send(second)), "the sender is not set up for PasswordDigest");
    const row = await channel.database.read.selectFrom("sender").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(row), new RegExp(`${plain}|${first}|${second}`));
  });
});
