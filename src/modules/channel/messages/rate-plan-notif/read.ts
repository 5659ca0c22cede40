import { isStrict } from "../../dialects.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { codeIn } from "../parts/codes.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { currencyOf } from "../parts/read-rate.ts";
import { readHead } from "./details.ts";
import { PlanReader } from "./plan-reader.ts";
import type { NotifType, PlanRead, RatePlans } from "./rate-plan.ts";
import { checkStrictly } from "./strictly.ts";

/** Reads `OTA_HotelRatePlanNotifRQ` and hands it to `finish`. */
export function readRatePlans({ dialect, head, report, source }: ReadContext, finish: (read: RatePlans) => HotelRequest): MessageReader {
  const strict = isStrict(dialect);
  const hotel = noHotel();
  const plans: PlanRead[] = [];
  let reader: PlanReader | undefined;
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (reader) reader.open(name, { ...reading, at: { offset, record: reader.plan.at.record } });
      else if (name === "RatePlan") {
        reader = new PlanReader(newPlan(reading, strict), { strict, source });
        plans.push(reader.plan);
      } else if (name === "RatePlans") readHotel(hotel, reading);
      else if (name !== "OTA_HotelRatePlanNotifRQ") report.ignore(name);
    },
    close(name, end) {
      reader?.close(name, end);
      if (name === "RatePlan") reader = undefined;
    },
    text: (text) => reader?.text(text),
    finish: () => finish({ hotel, plans, completeSet: head.completeSet }),
  };
}

/** Outside AlpineBits some senders send only the id of a plan. */
function newPlan(reading: Reading, strict: boolean): PlanRead {
  if (strict) checkStrictly("RatePlan", reading);
  return {
    at: reading.at,
    code: codeIn("RatePlanCode", reading) ?? (strict ? undefined : codeIn("RatePlanID", reading)),
    type: notifTypeOf(reading, strict),
    currency: currencyOf(reading),
    staticRate: undefined,
    rates: [],
    rules: [],
    products: [],
    ...readHead(reading),
  };
}

const NOTIF_TYPES: ReadonlyMap<string, NotifType> = new Map(
  Object.entries<NotifType>({
    New: "full",
    Full: "full",
    Overlay: "overlay",
    Delta: "delta",
    Remove: "remove",
  }),
);
const IN_ANY_CASE: ReadonlyMap<string, NotifType> = new Map([...NOTIF_TYPES].map(([word, type]) => [word.toLowerCase(), type]));

/** AlpineBits has no Delta. Elsewhere a plan without a type is an overlay, and a deactivated one is removed. */
function notifTypeOf({ attributes, report, at }: Reading, strict: boolean): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  const isOff = !strict && attributes.get("RatePlanStatusType")?.trim().toLowerCase() === "deactivated";
  const type = text === undefined ? otherwise(strict) : typeOf(text.trim(), strict);
  if (text !== undefined && (!type || (strict && type === "delta")))
    report.error(invalidWord(text, "RatePlanNotifType", `New, Full, Overlay, ${strict ? "" : "Delta, "}Remove`), at);
  return isOff ? "remove" : type;
}

function typeOf(word: string, strict: boolean): NotifType | undefined {
  return strict ? NOTIF_TYPES.get(word) : IN_ANY_CASE.get(word.toLowerCase());
}

function otherwise(strict: boolean): NotifType | undefined {
  return strict ? undefined : "overlay";
}
