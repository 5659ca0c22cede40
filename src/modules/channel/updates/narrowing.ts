import { normalCode } from "../../../text.ts";
import type { Narrowing } from "../elements/narrowing.ts";
import { HOTEL } from "../elements/parts.ts";
import { isDistribution, isHotelName } from "../elements/words.ts";
import type { DecisionContext } from "../message.ts";
import { narrowed, note } from "../ota-error.ts";
import { Distribution } from "./distribution.ts";
import { isRedundant, type Line } from "./redundant-limits.ts";

/**
 * Prevents a line that has a limit we don't store from applying more broadly than its sender intended. Such a line is applied only if the
 * standard or the sender's profile says that the limit has no effect. Otherwise it is skipped with a warning, or refused.
 */
export class Narrowings {
  readonly distribution: Distribution;
  readonly #context: DecisionContext;

  /** `all` has the limits on every line in the message. */
  constructor(context: DecisionContext, all: readonly Narrowing[]) {
    this.#context = context;
    this.distribution = new Distribution(
      context,
      all.filter(({ name }) => isDistribution(name)),
    );
  }

  /** Returns whether the line applies. If not, reports the reason. */
  allow(line: Line): boolean {
    if (line.narrowedBy.length === 0) return true;
    const limits = line.narrowedBy.filter((limit) => !isRedundant(limit, line) && !this.#isHotel(limit));
    const { channel = [], block = [], other = [] } = Object.groupBy(limits, limitKind);
    if (!this.distribution.appliesHere(channel, line.at)) return false;
    if (block.length > 0 && this.#context.profile.blocks === "skip") return this.#skip(block, line);
    for (const limit of other) this.#refuse(limit, line);
    return other.length === 0;
  }

  /** Whether a limit names the message's property. Codes are ignored if the property was not identified by its code. */
  #isHotel({ name, value }: Narrowing): boolean {
    const { profile, property } = this.#context;
    if (isHotelName(name)) return profile.hotelCode !== "HotelCode" || normalCode(value) === property.code;
    return HOTEL_TEXTS.has(name);
  }

  #skip(block: readonly Narrowing[], { at }: Line): false {
    for (const { name } of block) {
      const what = name === "SubBlockCode" ? "parts of a group block" : "group blocks";
      this.#context.report.warn(note(`${name} is not stored: lines for ${what} are skipped`), at);
    }
    return false;
  }

  #refuse(limit: Narrowing, { at }: Line): void {
    const remedy = isHotelName(limit.name) ? "send one message for each property" : REMEDIES.get(limit.name);
    this.#context.report.error(narrowed(limit, remedy), { offset: limit.offset, record: at.record });
  }
}

function limitKind({ name }: Narrowing): "channel" | "block" | "other" {
  if (isDistribution(name)) return "channel";
  return /block/i.test(name) ? "block" : "other";
}

/** Attributes that describe the property in a line's `HotelRef`. */
const HOTEL_TEXTS: ReadonlySet<string> = new Set(["HotelName", ...HOTEL.harmless.split(" ")]);

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["RatePlanCategory", `send RatePlanCode, or set the sender's "plan" setting to RatePlanCategory`],
  ["RatePlanType", "send RatePlanCode"],
  ["RatePlanQualifier", "send RatePlanCode"],
  ["RateTier", "send RatePlanCode"],
  ["RatePlanCodeType", "send a rate plan code"],
  ["InvType", "send InvTypeCode"],
  ["InvCodeApplication", "send a category code"],
  ["AgeBucket", "send MinAge or MaxAge with each amount"],
  ["MinGuestApplicable", "send NumberOfGuests with each amount"],
  ["MaxGuestApplicable", "send NumberOfGuests with each amount"],
]);
