import type { Sample } from "./samples.ts";

/** What has to become of a message. */
export type Expectation = {
  /** `either`: both are right; `unclear`: the words do not say. */
  outcome: "accepted" | "refused" | "either" | "unclear";
  /** Type and code of one of the errors, or with an accepted message of one of the warnings. */
  type: number | undefined;
  code: number | undefined;
  /** HTTP status. */
  status: number | undefined;
  /** Text that the answer has. */
  words: RegExp | undefined;
  /** The answer may be a SOAP fault instead. */
  fault: boolean;
  /** It has to come with a warning. */
  warning: boolean;
};

/** Says which capabilities an AlpineBits version announces. */
export type Announced = (version: string) => readonly string[];

const NONE = { type: undefined, code: undefined, status: undefined, words: undefined, fault: false, warning: false };
const UNKNOWN_ACTION = { ...NONE, outcome: "refused", status: 400, words: /^ERROR:unknown or missing action/ } as const;

const OUTCOME = /\b(?:(accept|success)|reject|refus|errors?\b|fault\b|http [45]\d\d\b|not well-formed|type=\d)/i;
const EITHER = /^accept (if .*\belse|or)\b/i;

/** Reads the words of an expectation. */
export function readExpectation({ expected, file, version }: Sample, announced: Announced): Expectation {
  if (expected.startsWith("out of ARI scope")) return version === undefined ? { ...NONE, outcome: "refused", type: 2 } : UNKNOWN_ACTION;
  if (expected.includes("else refuse it as an unknown action")) return UNKNOWN_ACTION;
  if (expected.startsWith("accept if the server announces that capability")) {
    return { ...NONE, outcome: isAnnounced(file, announced(version ?? "")) ? "accepted" : "refused" };
  }
  const outcome = outcomeOf(expected);
  if (outcome === "refused") return refusal(expected, version);
  if (outcome === "unclear") return { ...NONE, outcome };
  return { ...NONE, ...findings(expected), warning: /\bWarning\b/.test(expected), outcome };
}

/** The first word that is about it says it. */
function outcomeOf(expected: string): Expectation["outcome"] {
  if (EITHER.test(expected)) return "either";
  const found = OUTCOME.exec(expected);
  if (!found) return "unclear";
  return found[1] === undefined ? "refused" : "accepted";
}

/** An AlpineBits error is of type 13, and its code is the same. */
function refusal(expected: string, version: string | undefined): Expectation {
  const { type, code } = findings(expected);
  const status = /\bHTTP (\d{3})\b(?! when)/.exec(expected)?.[1];
  return {
    outcome: "refused",
    type: type !== undefined && version !== undefined ? 13 : type,
    code,
    status: status === undefined ? undefined : Number(status),
    words: wordsOf(expected),
    fault: expected.startsWith("SOAP Fault"),
    warning: false,
  };
}

function wordsOf(expected: string): RegExp | undefined {
  if (/names? line\/column/.test(expected)) return /line \d+, column \d+/;
  if (expected.includes("in a RS of that name")) return /<OTA_\w+RS\b/;
  return undefined;
}

function findings(expected: string): Pick<Expectation, "type" | "code"> {
  const typed = /\bType=(\d+)(?: Code=(\d+))?/.exec(expected);
  const code = typed?.[2] ?? /\bErrors (\d+)\b/.exec(expected)?.[1];
  return { type: typed ? Number(typed[1]) : undefined, code: code === undefined ? undefined : Number(code) };
}

/** `.../x_support_out-of-market.xml` asks for a capability such as `..._accept_out_of_market`. */
function isAnnounced(file: string, capabilities: readonly string[]): boolean {
  const wanted = /_support_([\w-]+)\.xml$/.exec(file)?.[1]?.replaceAll("-", "_");
  return wanted !== undefined && capabilities.some((capability) => capability.endsWith(`_accept_${wanted}`));
}
