import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Channel, eachChannel } from "../../../../test/support/channel.ts";
import { ATTRIBUTES, CHILDREN, valueOf } from "../../../../test/support/opentravel/attributes.ts";
import { BARE, type Base, NAMED, withAttribute, withChild } from "../../../../test/support/opentravel/lines.ts";
import { wrapRequest } from "../example.ts";
import { attributeKind, type ElementRules, findElementRules } from "./part.ts";

type Sent = { text: string; cells: ReadonlySet<string>; changes: string };
type Addition = { element: string; name: string; xml: string; kind: ReturnType<typeof attributeKind> | ElementRules["is"] };

/** Attributes that only describe the category, plan or number of guests that the line names anyway. */
const DESCRIPTIVE = new Set(
  "RatePlanType RatePlanCategory RatePlanQualifier RateTier InvType IsRoom InvTypeCode InvCode RatePlanCode".split(" "),
);
DESCRIPTIVE.add("MinGuestApplicable").add("MaxGuestApplicable");
/** Attributes that only describe the plan, because a rate plan always names its plan. */
const ALWAYS_DESCRIPTIVE = new Set(["Rate/@RateTier", "Rate/@RatePlanCode", "BookingRule/@RatePlanCode"]);

eachChannel("Parts of a line that OpenTravel's schema defines", (channel) => {
  let hotel: string;
  before(async () => {
    ({ code: hotel } = await channel.hotel());
  });

  for (const base of [...NAMED, ...BARE]) {
    test(`never lets a part defined in OpenTravel's schema silently change ${base.name}`, async () => {
      const plain = await send(channel, hotel, base.xml);
      assert.match(plain.text, /<Success\/>/, "the message is valid without the part");
      for (const part of listParts(base)) check(part, { sent: await send(channel, hotel, part.xml), plain, isBare: BARE.includes(base) });
    });
  }
});

function check({ element, name, xml, kind }: Addition, { sent, plain, isBare }: { sent: Sent; plain: Sent; isBare: boolean }): void {
  const isAccepted = sent.text.includes("<Success/>");
  assert.ok(isAccepted || sent.cells.size === 0, `${element} ${name} was refused`);
  assert.deepEqual(sent.cells.difference(plain.cells), new Set(), `${element} ${name} changes more: ${xml}`);
  if (!isAccepted || kind === "read" || kind === "stored") return;
  const isSilent = !sent.text.replace(plain.text, "").includes("<Warning ");
  if (!isSilent) return;
  assert.ok(kind === "harmless" || kind === "narrowing", `${element} ${name} is silent`);
  assert.equal(sent.changes, plain.changes, `${element} ${name} changes the line silently`);
  const isDescriptive = isBare ? ALWAYS_DESCRIPTIVE.has(`${element}/@${name}`) : DESCRIPTIVE.has(name);
  assert.ok(kind === "harmless" || isDescriptive, `${element} ${name} is applied too widely`);
}

/** Returns a copy of the message for each schema part that it lacks, with that part added. */
function listParts({ root, xml }: Base): Addition[] {
  const parts = findElementRules(root)!;
  const attributes = Object.entries(ATTRIBUTES).flatMap(([element, names]) =>
    names.split(" ").flatMap((name): Addition[] => {
      const changed = withAttribute(xml, element, { name, value: valueOf(name) });
      return changed === undefined ? [] : [{ element, name, xml: changed, kind: attributeKind(parts.get(element)!, name) }];
    }),
  );
  const children = Object.entries(CHILDREN).flatMap(([element, names]) =>
    names.split(" ").flatMap((name): Addition[] => {
      const changed = withChild(xml, element, `<${name} Amount="9"><${name}Item>X1</${name}Item></${name}>`);
      const known = parts.get(name);
      return changed === undefined ? [] : [{ element, name, xml: changed, kind: known ? (known.is ?? "read") : undefined }];
    }),
  );
  return [...attributes, ...children];
}

/** Sends a message as a dry run to a property that has no stored nights. A cell is one night of a category, in any lane. */
async function send(channel: Channel, hotel: string, xml: string): Promise<Sent> {
  const { headers, body } = wrapRequest(xml.replace("HOTEL", hotel), { transport: "raw" });
  const { text, receipt } = await channel.post({ headers: { ...headers }, body, dryRun: true });
  const cells = new Set<string>();
  for (const { category, first, last } of receipt!.changes)
    for (let night = first; night <= last; night++) cells.add(`${category} ${night}`);
  return { text, cells, changes: JSON.stringify(receipt!.changes) };
}
