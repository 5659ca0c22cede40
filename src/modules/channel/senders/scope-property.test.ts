// A limited sender can never read or change another property, whatever it sends and whatever codes are mapped.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { type Channel, day, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import type { Database } from "../../../db/database.ts";
import { type Example, wrapRequest, type SendOptions } from "../example.ts";
import { messages } from "../messages/index.ts";
import { KNOBS } from "../profiles/knobs.ts";
import { PRESETS, presetExamples } from "../profiles/presets.ts";
import { listCodes, removeCode, setCode } from "./code-store.ts";
import { setProfile } from "./edit-store.ts";

const MINE = "MINE";
/** Texts and amounts of the other property. The sender never sends them, so no response may contain them. */
const SECRETS = /HIDDEN|4321/;
const EXAMPLES: readonly Example[] = [...messages.flatMap(({ examples }) => examples), ...presetExamples];

const hotels = fc.constantFrom(MINE, MINE, "THEIRS", "1", "NOWHERE", "");
const categories = fc.constantFrom("DBL", "DBL", "SUITE9", "1");
const plans = fc.constantFrom("BAR", "BAR", "PLAN9", "1");

const mapping = fc.oneof(
  fc.record({ kind: fc.constant("property"), code: fc.constantFrom(MINE, "1", "THEIRS"), target: fc.constantFrom(MINE, "THEIRS") }),
  fc.record({
    kind: fc.constantFrom("category", "plan"),
    code: fc.constantFrom("DBL", "BAR", "1"),
    target: fc.constantFrom("SUITE9", "PLAN9", "SGL"),
  }),
);

const sent = fc.record({
  example: fc.constantFrom(...EXAMPLES),
  codes: fc.record({ hotel: hotels, category: categories, plan: plans }),
  transport: fc.constantFrom("as it is", "raw", "soap11", "soap12"),
  named: fc.constantFrom("code", "name", "both", "neither"),
  credentials: fc.constantFrom("basic", "bearer", "x-api-key", "body"),
});

const scenario = fc.record({
  preset: fc.constantFrom(...PRESETS.map(({ name }) => name)),
  hotelCode: fc.constantFrom(...(Object.keys(KNOBS.hotelCode.choices) as (keyof typeof KNOBS.hotelCode.choices)[])),
  mappings: fc.array(mapping, { maxLength: 4 }),
  messages: fc.array(sent, { minLength: 1, maxLength: 3 }),
});

type Sent = typeof sent extends fc.Arbitrary<infer One> ? One : never;

function xmlOf({ example, codes, named }: Sent, secret: string, isInBody: boolean): string {
  const xml = example.xml({ ...codes, currency: "EUR", day });
  const name = 'HotelName="Geheim"';
  const hotel = { code: "$&", name, both: `$& ${name}`, neither: "" }[named];
  const pos = `<POS><Source><RequestorID ID="limited" MessagePassword="${secret}"/></Source></POS>`;
  return xml.replaceAll(/HotelCode="[^"]*"/g, hotel).replace(/<OTA_[^>]*[^/]>/, isInBody ? `$&${pos}` : "$&");
}

/** Everything stored for the other property. */
async function readStored({ read }: Database, property: string): Promise<unknown> {
  return Promise.all([
    read.selectFrom("property").selectAll().where("code", "=", property).execute(),
    read.selectFrom("category").selectAll().where("property", "=", property).execute(),
    read.selectFrom("rate_plan").selectAll().where("property", "=", property).execute(),
    read.selectFrom("inventory_page").selectAll().where("property", "=", property).orderBy("category").execute(),
    read.selectFrom("rate_page").selectAll().where("property", "=", property).orderBy("category").orderBy("plan").execute(),
    read.selectFrom("property_activity").selectAll().where("property", "=", property).execute(),
    read.selectFrom("audit").select("id").where("subject", "like", `%:${property}%`).execute(),
  ]);
}

eachEngine("A sender limited to one property", (open) => {
  let channel: Channel;
  let secret: string;
  let before_: unknown;
  const accepted = new Set<string>();

  before(async () => {
    channel = openChannel(await open());
    await channel.hotel({ code: MINE, name: "Adler", horizon_days: 600 });
    await channel.hotel({ code: "THEIRS", name: "Geheim", description: "HIDDEN", horizon_days: 600 });
    const { write } = channel.database;
    const suite = await channel.database.read.selectFrom("category").selectAll().where("property", "=", "THEIRS").executeTakeFirstOrThrow();
    await write
      .insertInto("category")
      .values({ ...suite, code: "SUITE9", name: "HIDDEN" })
      .execute();
    const owner = await addSender(channel.database, { name: "owner" });
    const rates = `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><RateAmountMessages HotelCode="THEIRS"><RateAmountMessage><StatusApplicationControl Start="${day(0)}" End="${day(90)}" InvTypeCode="SUITE9" RatePlanCode="PLAN9"/><Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="4321"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    assert.match((await channel.post({ body: rates, headers: { authorization: `Bearer ${owner}` } })).text, /<Success/);
    secret = await addSender(channel.database, { name: "limited", hotels: [MINE] });
    before_ = await readStored(channel.database, "THEIRS");
  });

  async function send(one: Sent): Promise<void> {
    const { example, transport, credentials } = one;
    const sending: SendOptions = transport === "as it is" ? { transport: "raw", ...example } : { transport };
    const { headers, body } = wrapRequest(xmlOf(one, secret, credentials === "body"), sending);
    const signIn: Record<string, Record<string, string>> = {
      basic: { authorization: `Basic ${Buffer.from(`limited:${secret}`).toString("base64")}` },
      bearer: { authorization: `Bearer ${secret}` },
      "x-api-key": { "x-api-key": secret },
      body: {},
    };
    const { text, receipt } = await channel.post({ body, headers: { ...headers, ...signIn[credentials] } });
    const { outcome } = receipt!.verdict;
    assert.doesNotMatch(text, SECRETS);
    const row = await channel.database.read.selectFrom("message").selectAll().where("id", "=", receipt!.id).executeTakeFirstOrThrow();
    if (outcome !== "ok" && outcome !== "warnings") return;
    accepted.add(`${row.root}`);
    assert.notEqual(row.property, "THEIRS", text);
  }

  test("never lets a restricted sender read or change another property, whatever it sends and however it signs in", async () => {
    const property = fc.asyncProperty(scenario, async ({ preset, hotelCode, mappings, messages: all }) => {
      const { database } = channel;
      for (const code of await listCodes(database, "limited")) await removeCode(database, { ...code, sender: "limited" }, BY_TEST);
      for (const { kind, code, target } of mappings)
        for (const owner of kind === "property" ? [""] : [MINE, "THEIRS"])
          await setCode(database, { sender: "limited", kind, property: owner, code, target }, BY_TEST);
      await setProfile(database, { name: "limited", profile: { preset, settings: { hotelCode } } }, BY_TEST);
      for (const one of all) await send(one);
      assert.deepEqual(await readStored(database, "THEIRS"), before_);
    });
    await fc.assert(property, { numRuns: 150, seed: 29 });
    assert.ok(accepted.size >= 6, `only ${[...accepted].join(", ")} were accepted for its own property`);
  });
});
