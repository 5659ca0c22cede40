/** The structure of a regular expression. Anchors and back-references are empty sequences; `around` is a lookahead or lookbehind. */
export type Node =
  | { kind: "characters"; samples: readonly string[] }
  | { kind: "sequence"; items: readonly Node[] }
  | { kind: "choice"; options: readonly Node[] }
  | { kind: "repeat"; body: Node; min: number }
  | { kind: "around"; body: Node };

const NOTHING: Node = { kind: "sequence", items: [] };
const ATOM =
  /\[(?:[^\]\\]|\\.)*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|.)|\((?:\?(?:<?[=!]|:|<[^>]*>))?|[^]/iy;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

const POOL = Array.from("aA0 \n\t-_.:/%\"'<>é“\u0001\u05d0\u0301\u200b\u4e00\u{10000}");
const MAX_SAMPLES = 4;

export function parsePattern({ source, unicode }: RegExp): Node {
  return new Parser(source, unicode ? "u" : "").readChoice();
}

class Parser {
  readonly #source: string;
  readonly #flags: string;
  readonly #pool: readonly string[];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
    this.#pool = [...new Set([...Array.from(source), ...POOL])];
  }

  readChoice(): Node {
    const options = [this.#readSequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      options.push(this.#readSequence());
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  #readSequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) items.push(this.#readRepeat());
    return { kind: "sequence", items };
  }

  #readRepeat(): Node {
    const body = this.#readAtom(this.#take(ATOM)!);
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === undefined) return body;
    if (quantifier.startsWith("?")) return { kind: "choice", options: [body, NOTHING] };
    return { kind: "repeat", body, min: quantifier.startsWith("{") ? Number.parseInt(quantifier.slice(1), 10) : 1 };
  }

  #readAtom(atom: string): Node {
    if (atom.startsWith("(")) return this.#readGroup(atom);
    if (/^(?:[\^$]|\\[bB1-9k])/.test(atom)) return NOTHING;
    const matching = new RegExp(`^(?:${atom})$`, `${this.#flags}s`);
    const literal = atom.length === 1 ? [atom] : [];
    const samples = [...literal, ...escaped(atom), ...this.#pool].filter((character) => matching.test(character));
    return samples.length === 0
      ? NOTHING
      : { kind: "characters", samples: isSingleCharacter(atom) ? samples.slice(0, 1) : samples.slice(0, MAX_SAMPLES) };
  }

  #readGroup(open: string): Node {
    const body = this.readChoice();
    this.#at++;
    return /[=!]$/.test(open) ? { kind: "around", body } : body;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [taken] = pattern.exec(this.#source) ?? [];
    this.#at += taken?.length ?? 0;
    return taken;
  }
}

/** Returns whether an escape is a single character rather than a class. */
function isSingleCharacter(atom: string): boolean {
  return !atom.startsWith("[") && atom !== "." && !/^\\[dDwWsSpP]/.test(atom);
}

function escaped(atom: string): string[] {
  const code = /^\\(?:u\{?|x)([\da-f]+)\}?$/i.exec(atom)?.[1];
  if (code !== undefined) return [String.fromCodePoint(Number.parseInt(code, 16))];
  return atom.startsWith("\\") ? [{ n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" }[atom[1]!] ?? atom[1]!] : [];
}
