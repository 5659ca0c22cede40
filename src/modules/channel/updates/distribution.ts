import type { Narrowing } from "../elements/narrowing.ts";
import type { DecisionContext } from "../message.ts";
import { distributionTaken, distributionUnclear, otherDistribution } from "../ota-error.ts";
import type { Place } from "../report.ts";

/**
 * Lines for one distribution channel. The sender's profile names our code; lines for others are skipped. Without it the first code that the
 * sender uses is ours, and several, or later another one, are refused.
 */
export class Distribution {
  /** The code to remember, if the message is the first one with a code. */
  readonly first: string | undefined;
  readonly #context: DecisionContext;
  readonly #ours: string | undefined;
  readonly #codes: ReadonlySet<string>;
  #isReported = false;

  constructor(context: DecisionContext, all: readonly Narrowing[]) {
    const { profile, distribution } = context;
    this.#context = context;
    this.#codes = new Set(all.map(({ value }) => value));
    const [only] = this.#codes.size === 1 ? this.#codes : [];
    this.first = profile.distribution === undefined && distribution === undefined ? only : undefined;
    this.#ours = profile.distribution ?? distribution ?? only;
  }

  /** Whether a line for these channels is for us; a line for none is for all. */
  isOurs(channels: readonly Narrowing[], at: Place): boolean {
    const [channel] = channels;
    if (!channel) return true;
    const ours = this.#context.profile.distribution;
    if (ours === undefined) return this.#isClear(channel, at);
    const isNamed = channels.some(({ value }) => value === ours);
    if (!isNamed) this.#context.report.warn(otherDistribution(channel, ours), at);
    return isNamed;
  }

  #isClear({ name, offset }: Narrowing, at: Place): boolean {
    const { report, distribution } = this.#context;
    const codes = [...this.#codes];
    const isClear = codes.length === 1 && codes[0] === this.#ours;
    if (isClear && this.first !== undefined) report.warn(distributionTaken(name, this.first), at);
    if (!isClear && !this.#isReported)
      report.error(distributionUnclear(name, { codes, before: distribution }), { offset, record: at.record });
    this.#isReported ||= !isClear;
    return isClear;
  }
}
