type MappedKind = "category" | "plan";

type CodePair = { kind: string; code: string; target: string };

/** Maps one sender's codes for a property's categories and rate plans to ours, one to one. Unmapped codes stay the same. */
export class CodeMap {
  readonly #ours = { category: new Map<string, string>(), plan: new Map<string, string>() };
  readonly #own = { category: new Map<string, string>(), plan: new Map<string, string>() };

  constructor(pairs: readonly CodePair[]) {
    for (const { kind, code, target } of pairs) {
      if (kind !== "category" && kind !== "plan") continue;
      this.#ours[kind].set(code, target);
      this.#own[kind].set(target, code);
    }
  }

  ours(kind: MappedKind, code: string): string {
    return this.#ours[kind].get(code) ?? code;
  }

  /**
   * Returns the sender's code for one of our codes. Returns `undefined` if there is none because the sender uses our code for a different
   * record.
   */
  own(kind: MappedKind, code: string): string | undefined {
    return this.#own[kind].get(code) ?? (this.#ours[kind].has(code) ? undefined : code);
  }

  /** Whether the sender may use a code. It must not use our code for a record for which it has its own code. */
  isOwn(kind: MappedKind, code: string): boolean {
    return this.#ours[kind].has(code) || !this.#own[kind].has(code);
  }
}

/** Returns our code for one of the sender's codes, for a message's summary in the log. */
export function toOurCode({ codes }: { codes?: CodeMap | undefined }, kind: MappedKind, code: string): string {
  return codes?.ours(kind, code) ?? code;
}
