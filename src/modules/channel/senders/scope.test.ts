// A sender limited to some properties gets the same response for any other property, whether or not that property exists.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Channel, day, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender } from "../../../../test/support/senders.ts";
import { type Example, wrapRequest, type SendOptions } from "../example.ts";
import { messages } from "../messages/index.ts";

const NAMED = /HotelCode="[^"]*"/;
const OTHERS = ["raw", "soap11", "soap12"] as const;
type Sent = { root: string; example: Example; sending: SendOptions };

const xmlOf = (example: Example, hotel: string) => example.xml({ hotel, category: "DBL", plan: "BAR", currency: "EUR", day });

/** A valid example of each message type about a property, once for each transport that it supports. */
const SENT = messages.flatMap(({ root, examples }) => {
  const valid = examples.filter((one) => one.expect === undefined && NAMED.test(xmlOf(one, "H")));
  const form = valid.find(({ transport }) => transport === "alpinebits");
  const forms: Sent[] = form ? [{ root, example: form, sending: { transport: "alpinebits", ...form } }] : [];
  const others = valid.slice(0, 1).flatMap((example) => OTHERS.map((transport): Sent => ({ root, example, sending: { transport } })));
  return [...forms, ...others];
});

eachEngine("A sender limited to some properties", (open) => {
  let channel: Channel;
  let mine: string;
  let secret: string;
  before(async () => {
    channel = openChannel(await open());
    mine = (await channel.hotel({ name: "Adler" })).code;
    await channel.hotel({ code: "THEIRS", name: "Bellevue" });
    await channel.hotel({ code: "CLOSED", name: "Continental", status: "inactive" });
    await channel.hotel({ code: "NAMESAKE", name: "Adler" });
    secret = await addSender(channel.database, { name: "limited", hotels: [mine, "UNBORN"] });
  });
  /** Returns the response without the values that the sender sent. */
  const ask = async (xml: string, sending: SendOptions, said: string) => {
    const { body, headers } = wrapRequest(xml, sending);
    const authorization = `Basic ${Buffer.from(`limited:${secret}`).toString("base64")}`;
    const { status, headers: answered, text, receipt } = await channel.post({ body, headers: { ...headers, authorization } });
    assert.equal(receipt?.changedNights, 0);
    const rest = { ...answered, "x-message-id": "…" };
    return { status, headers: rest, text: text.replaceAll(said, "…").replace(/TimeStamp="[^"]*"/, "") };
  };

  for (const { root, example, sending } of SENT) {
    const title = `${root} as ${[sending.transport, sending.version].filter(Boolean).join(" ")}`;
    test(`returns the same response for every code outside the sender's scope: ${title}`, async () => {
      const byCode = (code: string) => ask(xmlOf(example, code), sending, code);
      const [theirs, closed, none] = [await byCode("THEIRS"), await byCode("CLOSED"), await byCode("NOWHERE")];
      assert.match(none.text, /<Errors><Error Type="(?:6|13)" Code="497"[^>]*>You do not have access to hotel …<\/Error><\/Errors>/);
      assert.deepEqual([theirs, closed], [none, none]);
      assert.deepEqual(await channel.database.read.selectFrom("property_activity").select("property").execute(), []);
    });

    test(`returns the same response for every name outside the sender's scope: ${title}`, async () => {
      const byName = (name: string) => ask(xmlOf(example, "H").replace(NAMED, `HotelName="${name}"`), sending, name);
      const [theirs, closed, none] = [await byName("Bellevue"), await byName("Continental"), await byName("Nowhere")];
      assert.match(none.text, /<Errors><Error Type="(?:10|13)" Code="321"/);
      assert.deepEqual([theirs, closed], [none, none]);
    });
  }

  test("finds the sender's own property by name even if another property has the same name", async () => {
    const night = day(1);
    const xml = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelName="Adler"><Inventory><StatusApplicationControl Start="${night}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
    const authorization = `Basic ${Buffer.from(`limited:${secret}`).toString("base64")}`;
    const { text, receipt } = await channel.post({ body: xml, headers: { authorization } });
    assert.match(text, /<Success\/>/);
    const message = channel.database.read.selectFrom("message").select("property").where("id", "=", receipt!.id);
    assert.equal((await message.executeTakeFirstOrThrow()).property, mine);
  });

  test("returns error 392 for a property in the sender's scope that does not exist yet", async () => {
    const { text } = await ask(xmlOf(SENT[0]!.example, "UNBORN"), { transport: "raw" }, "UNBORN");
    assert.match(text, /Code="392"[^>]*>Hotel not found for HotelCode=…</);
  });
});
