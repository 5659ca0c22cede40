import type { NarrowingAttribute } from "../elements/narrowing.ts";
import type { DecisionContext } from "../message.ts";
import { distributionAlreadySet, ambiguousDistribution, otherDistribution } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";

/**
 * Decides which lines are for our distribution channel. If the sender's profile sets the channel's code, lines for other codes are skipped.
 * Otherwise the channel's code is the first one that the sender uses. Refuses a message with several codes, and a later message with a
 * different code.
 */
export class Distribution {
  /** The channel's code to store, if this is the sender's first message with a code. */
  readonly first: string | undefined;
  readonly #context: DecisionContext;
  readonly #code: string | undefined;
  readonly #codes: ReadonlySet<string>;
  #isReported = false;

  constructor(context: DecisionContext, all: readonly NarrowingAttribute[]) {
    const { profile, distribution } = context;
    this.#context = context;
    this.#codes = new Set(all.map(({ value }) => value));
    const [only] = this.#codes.size === 1 ? this.#codes : [];
    this.first = profile.distribution === undefined && distribution === undefined ? only : undefined;
    this.#code = profile.distribution ?? distribution ?? only;
  }

  /** Whether a line for these distribution channels is also for ours. A line without channels is for all. */
  appliesHere(channels: readonly NarrowingAttribute[], at: SourceLocation): boolean {
    const [channel] = channels;
    if (!channel) return true;
    const code = this.#context.profile.distribution;
    if (code === undefined) return this.#isClear(channel, at);
    const isChannelNamed = channels.some(({ value }) => value === code);
    if (!isChannelNamed) this.#context.report.warn(otherDistribution(channel, code), at);
    return isChannelNamed;
  }

  #isClear({ name, offset }: NarrowingAttribute, at: SourceLocation): boolean {
    const { report, distribution } = this.#context;
    const codes = [...this.#codes];
    const isUnambiguous = codes.length === 1 && codes[0] === this.#code;
    if (isUnambiguous && this.first !== undefined) report.warn(distributionAlreadySet(name, this.first), at);
    if (!isUnambiguous && !this.#isReported)
      report.error(ambiguousDistribution(name, { codes, before: distribution }), { offset, record: at.record });
    this.#isReported ||= !isUnambiguous;
    return isUnambiguous;
  }
}
