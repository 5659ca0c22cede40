import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeXml } from "../../../xml/decode.ts";
import type { Attributes } from "../../../xml/handler.ts";
import { alpineBits } from "../dialects/alpinebits.ts";
import { openTravel } from "../dialects/opentravel.ts";
import type { Message, MessageReader } from "../message.ts";
import { messages } from "../messages/index.ts";
import { STANDARD } from "../profiles/profile.ts";
import { readDocument } from "./read.ts";
import { READ } from "./unread.ts";

/** Attributes that readers find by iterating over all of them. */
const ITERATED = "Start End Duration Mon Tue Weds Thur Fri Sat Sun Tues Wed Thu Thurs MinLOS MaxLOS StayOverDate";

const DIALECTS = [openTravel, alpineBits("2024-10", { strict: true })];

const CODES = { hotel: "H1", category: "DBL", plan: "BAR", currency: "EUR", day: (days: number) => `2027-03-${10 + days}` };

/** Elements that no example has. */
const MORE = [
  '<OTA_HotelAvailNotifRQ><AvailStatusMessages><AvailStatusMessage><StatusApplicationControl/><LOS_Pattern FullPatternLOS="YN"/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>',
  "<OTA_HotelRatePlanNotifRQ><RatePlans><RatePlan><SellableProducts><SellableProduct/></SellableProducts></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>",
  "<OTA_HotelRateAmountNotifRQ><RateAmountMessages><RateAmountMessage><Rates><Rate><MealsIncluded/></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>",
];

test("reports an attribute as unread exactly if no reader asks for it", async () => {
  const asked = askedFor([...messages.flatMap(({ examples }) => examples.map(({ xml }) => xml(CODES))), ...MORE]);
  const iterated = new Set(ITERATED.split(" "));
  for (const [element, listed] of READ) {
    const names = asked.get(element) ?? new Set();
    const unlisted = [...names].filter((name) => !listed.has(name));
    const unread = [...listed].filter((name) => name !== "" && !names.has(name) && !iterated.has(name));
    assert.deepEqual({ element, unlisted, unread }, { element, unlisted: [], unread: [] });
  }
});

/** The attributes that readers ask for in these documents, whether present or not, by element. */
function askedFor(documents: readonly string[]): Map<string, Set<string>> {
  const asked = new Map<string, Set<string>>();
  const spied = messages.map((message): Message => ({ ...message, read: (context) => spyOn(message.read(context), asked) }));
  for (const xml of documents) {
    const decoded = decodeXml(Buffer.from(xml));
    assert.ok("source" in decoded);
    for (const dialect of DIALECTS) readDocument({ ...decoded, dialect, messages: spied, profile: STANDARD, isWhole: true });
  }
  return asked;
}

function spyOn(reader: MessageReader, asked: Map<string, Set<string>>): MessageReader {
  return {
    open(name, attributes, at) {
      const names = asked.getOrInsertComputed(name, () => new Set<string>());
      const spied: Attributes = {
        length: attributes.length,
        get(attribute) {
          names.add(attribute);
          return attributes.get(attribute);
        },
        nameAt: (index) => attributes.nameAt(index),
        valueAt: (index) => attributes.valueAt(index),
      };
      reader.open(name, spied, at);
    },
    close: (name, end) => reader.close(name, end),
    text: (text) => reader.text(text),
    finish: () => reader.finish(),
  };
}
