import { type Dialect, isStrict } from "../../dialects.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { invalidWord, note } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { codeIn } from "../parts/attributes.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { currencyOf } from "../parts/read-rate.ts";
import { readHead } from "./details.ts";
import { PlanReader } from "./plan-reader.ts";
import type { NotifType, PlanRead, RatePlans } from "./rate-plan.ts";
import { checkStrictly } from "./strictly.ts";

/** Reads `OTA_HotelRatePlanNotifRQ` and hands it to `finish`. */
export function readRatePlans(context: ReadContext, finish: (read: RatePlans) => HotelRequest): MessageReader {
  const { dialect, head, report } = context;
  const hotel = noHotel();
  const plans: PlanRead[] = [];
  let reader: PlanReader | undefined;
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (reader) reader.open(name, { ...reading, at: { offset, record: reader.plan.at.record } });
      else if (name === "RatePlan") {
        reader = new PlanReader(newPlan(reading, dialect), context);
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
function newPlan(reading: Reading, dialect: Dialect): PlanRead {
  const strict = isStrict(dialect);
  if (strict) checkStrictly("RatePlan", reading);
  return {
    at: reading.at,
    code: codeIn("RatePlanCode", reading) ?? (strict ? undefined : codeIn("RatePlanID", reading)),
    type: notifTypeOf(reading, dialect),
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

function notifTypeOf(reading: Reading, dialect: Dialect): NotifType | undefined {
  return isStrict(dialect) ? alpineBitsTypeOf(reading) : openTravelTypeOf(reading);
}

/** AlpineBits has no Delta, which a wrong type counts as, so that it is not missing too. */
function alpineBitsTypeOf({ attributes, report, at }: Reading): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  const type = text === undefined ? undefined : (NOTIF_TYPES.get(text.trim()) ?? "delta");
  if (type === "delta") report.error(invalidWord(text!, "RatePlanNotifType", "New, Full, Overlay, Remove"), at);
  return type;
}

/** An initial one is on its way to be active. */
const STATUSES: ReadonlySet<string> = new Set(["initial", "active", "deactivated"]);

/** A plan without a type is an overlay, and a deactivated one is removed. */
function openTravelTypeOf({ attributes, report, at }: Reading): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  const type = text === undefined ? "overlay" : IN_ANY_CASE.get(text.trim().toLowerCase());
  if (!type) report.error(invalidWord(text!, "RatePlanNotifType", "New, Full, Overlay, Delta, Remove"), at);
  const status = attributes.get("RatePlanStatusType");
  const word = status?.trim().toLowerCase();
  if (word !== undefined && !STATUSES.has(word)) report.warn(note(`RatePlanStatusType ${status} is not stored`), at);
  return word === "deactivated" ? "remove" : type;
}
