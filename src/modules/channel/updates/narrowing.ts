import { normalCode } from "../../../text.ts";
import type { NarrowingAttribute } from "../elements/narrowing.ts";
import { HOTEL_ATTRIBUTES } from "../elements/parts.ts";
import { isDistribution, isHotelName } from "../elements/words.ts";
import type { DecisionContext } from "../message.ts";
import { narrowedFault, note } from "../ota-error.ts";
import { Distribution } from "./distribution.ts";
import { isRedundant, type LimitedLine } from "./redundant-limits.ts";

/**
 * Prevents a line that has a limit we don't store from applying more broadly than its sender intended. Applies such a line only if the
 * standard or the sender's profile says that the limit has no effect. Otherwise skips it with a warning, or refuses the message.
 */
export class Narrowings {
  readonly distribution: Distribution;
  readonly #context: DecisionContext;

  /** `all` contains the limits on all lines in the message. */
  constructor(context: DecisionContext, all: readonly NarrowingAttribute[]) {
    this.#context = context;
    this.distribution = new Distribution(
      context,
      all.filter(({ name }) => isDistribution(name)),
    );
  }

  /** Returns whether the line applies. If not, reports the reason. */
  allow(line: LimitedLine): boolean {
    if (line.narrowedBy.length === 0) return true;
    const limits = line.narrowedBy.filter((limit) => !isRedundant(limit, line) && !this.#isHotel(limit));
    const { channel = [], block = [], other = [] } = Object.groupBy(limits, limitKind);
    if (!this.distribution.appliesHere(channel, line.at)) return false;
    if (block.length > 0 && this.#context.profile.blocks === "skip") return this.#skip(block, line);
    for (const limit of other) this.#refuse(limit, line);
    return other.length === 0;
  }

  /** Whether a limit names the message's property. Ignores codes if the message did not identify the property by its code. */
  #isHotel({ name, value }: NarrowingAttribute): boolean {
    const { profile, property } = this.#context;
    if (isHotelName(name)) return profile.hotelCode !== "HotelCode" || normalCode(value) === property.code;
    return HOTEL_TEXT_ATTRIBUTES.has(name);
  }

  #skip(block: readonly NarrowingAttribute[], { at }: LimitedLine): false {
    for (const { name } of block) {
      const narrowedTo = name === "SubBlockCode" ? "parts of a group block" : "group blocks";
      this.#context.report.warn(note(`${name} is not stored: lines for ${narrowedTo} are skipped`), at);
    }
    return false;
  }

  #refuse(limit: NarrowingAttribute, { at }: LimitedLine): void {
    const remedy = isHotelName(limit.name) ? "send one message for each property" : REMEDY_BY_NAME.get(limit.name);
    this.#context.report.error(narrowedFault(limit, remedy), { offset: limit.offset, record: at.record });
  }
}

function limitKind({ name }: NarrowingAttribute): "channel" | "block" | "other" {
  if (isDistribution(name)) return "channel";
  return /block/i.test(name) ? "block" : "other";
}

/** Attributes that describe the property in a `HotelRef` inside a line. */
const HOTEL_TEXT_ATTRIBUTES: ReadonlySet<string> = new Set(["HotelName", ...HOTEL_ATTRIBUTES.harmless.split(" ")]);

const REMEDY_BY_NAME: ReadonlyMap<string, string> = new Map([
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
