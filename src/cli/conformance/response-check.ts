import { XmlDocument, XmlElement, XmlParseError } from "libxml2-wasm";
import { codeForWord } from "../../modules/channel/dialects/json.ts";
import type { Sample } from "./samples.ts";

export function checkResponse(answer: ParsedResponse, expectation: Expectation, status: number | undefined): string[] {
  const mismatches = [
    responseProblem(answer),
    statusMismatch(answer, status ?? expectation.status),
    outcomeMismatch(answer, expectation),
    textMismatch(answer, expectation),
  ];
  return mismatches.filter((mismatch) => mismatch !== undefined);
}

function responseProblem({ problem, success, errors }: ParsedResponse): string | undefined {
  if (problem !== undefined) return `the response is not well-formed: ${problem}`;
  return success && errors.length > 0 ? "the response contains both Success and Errors" : undefined;
}

function statusMismatch({ status }: ParsedResponse, expectation: number | undefined): string | undefined {
  return expectation === undefined || expectation === status ? undefined : `HTTP ${status}, not ${expectation}`;
}

/** Doesn't check the type and code of `ERROR:` responses and SOAP faults, because they have none. */
function outcomeMismatch(answer: ParsedResponse, expectation: Expectation): string | undefined {
  const { success, errors, warnings, text, elements, status } = answer;
  const isFault = elements.has("Fault");
  const isRefused = !success && (errors.length > 0 || isFault || text.startsWith("ERROR:"));
  if (status === 500 && !isFault) return "HTTP 500";
  if (expectation.outcome === "unclear") return "not checked: the expectation mentions neither acceptance nor refusal";
  if (expectation.outcome === "accepted" && !success) return "it was not accepted";
  if (expectation.outcome === "refused" && !isRefused) return "it was not refused";
  if (expectation.outcome === "either") return success || isRefused ? undefined : "it was neither accepted nor refused";
  if (isFault) return expectation.fault || expectation.type === 12 ? undefined : "a SOAP fault";
  if (text.startsWith("ERROR:")) return undefined;
  if (expectation.warning && warnings.length === 0) return "it has no warning";
  return findingMismatch(success ? warnings : errors, expectation);
}

function findingMismatch(findings: readonly ResponseFinding[], { type, code }: Expectation): string | undefined {
  if (type === undefined && code === undefined) return undefined;
  const hasFinding = findings.some(
    (finding) => (type === undefined || finding.type === type) && (code === undefined || finding.code === code),
  );
  if (hasFinding) return undefined;
  const foundText = findings.map((finding) => `Type=${finding.type ?? "-"} Code=${finding.code ?? "-"}`).join(", ") || "nothing";
  return `it has ${foundText}, not Type=${type ?? "any"} Code=${code ?? "any"}`;
}

function textMismatch({ text }: ParsedResponse, { textPattern }: Expectation): string | undefined {
  return textPattern === undefined || textPattern.test(text) ? undefined : `the response does not match ${textPattern.source}`;
}

/** `type` is set only for OpenTravel errors. */
export type ResponseFinding = { type: number | undefined; code: number | undefined };

export type ParsedResponse = {
  status: number;
  text: string;
  problem: string | undefined;
  elements: ReadonlySet<string>;
  namespaces: ReadonlySet<string>;
  success: boolean;
  errors: readonly ResponseFinding[];
  warnings: readonly ResponseFinding[];
};

export function parseResponse(status: number, contentType: string, text: string): ParsedResponse {
  if (contentType.includes("json")) return { ...readJson(text), status, text };
  const { problem, elements } = contentType.includes("xml") ? readElements(text) : { problem: undefined, elements: [] };
  const names = new Set(elements.map(({ name }) => name));
  return {
    status,
    text,
    problem,
    elements: names,
    namespaces: new Set(elements.map(({ namespace }) => namespace)),
    success: names.has("Success"),
    errors: elements.filter(({ name, status: kind }) => name === "Error" || kind === "error").map(toFinding),
    warnings: elements.filter(({ name, status: kind }) => name === "Warning" || kind === "warning").map(toFinding),
  };
}

type JsonResponse = { data?: object; errors?: readonly { code: string }[]; meta?: { warnings: readonly { code: string }[] } };

function readJson(text: string): Omit<ParsedResponse, "status" | "text"> {
  const { data, errors = [], meta } = JSON.parse(text) as JsonResponse;
  const findings = (list: readonly { code: string }[]) => list.map(({ code }) => ({ type: undefined, code: codeForWord(code) }));
  const emptyResponse = { problem: undefined, elements: new Set<string>(), namespaces: new Set<string>() };
  return { ...emptyResponse, success: data !== undefined, errors: findings(errors), warnings: findings(meta?.warnings ?? []) };
}

/** `status` is set only for an `Issue` in a response to a Google message. */
type ResponseElement = { name: string; namespace: string; type: string | undefined; code: string | undefined; status: string | undefined };

function readElements(text: string): { problem: string | undefined; elements: readonly ResponseElement[] } {
  try {
    using document = XmlDocument.fromString(text);
    const elements = document.find("descendant-or-self::*").filter((node) => node instanceof XmlElement);
    return { problem: undefined, elements: elements.map(toElement) };
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    return { problem: error.message.trim(), elements: [] };
  }
}

function toElement(element: XmlElement): ResponseElement {
  const value = (name: string) => element.attr(name)?.value;
  return {
    name: element.name,
    namespace: element.namespaceUri,
    type: value("Type"),
    code: value("Code") ?? value("code"),
    status: value("status"),
  };
}

function toFinding({ type, code }: ResponseElement): ResponseFinding {
  return { type: type === undefined ? undefined : Number(type), code: code === undefined ? undefined : Number(code) };
}

export type Expectation = {
  /** `either`: acceptance and refusal are both correct. `unclear`: the text doesn't mention the outcome. */
  outcome: "accepted" | "refused" | "either" | "unclear";
  type: number | undefined;
  code: number | undefined;
  status: number | undefined;
  textPattern: RegExp | undefined;
  fault: boolean;
  warning: boolean;
};

export type AnnouncedCapabilities = (version: string) => readonly string[];

const NO_OUTCOME = { type: undefined, code: undefined, status: undefined, textPattern: undefined, fault: false, warning: false };
const UNKNOWN_ACTION = { ...NO_OUTCOME, outcome: "refused", status: 400, textPattern: /^ERROR:unknown or missing action/ } as const;

const OUTCOME_PATTERN = /\b(?:(accept|success)|reject|refus|errors?\b|fault\b|http [45]\d\d\b|not well-formed|type=\d)/i;
const EITHER_OUTCOME_PATTERN = /^accept (if .*\belse|or)\b/i;

export function readExpectation({ expected, file, version }: Sample, announced: AnnouncedCapabilities): Expectation {
  if (expected.startsWith("out of ARI scope"))
    return version === undefined ? { ...NO_OUTCOME, outcome: "refused", type: 2 } : UNKNOWN_ACTION;
  if (expected.startsWith("accept if the server announces the Info action")) {
    return announced(version ?? "").some((name) => name.endsWith("_Info")) ? { ...NO_OUTCOME, outcome: "accepted" } : UNKNOWN_ACTION;
  }
  if (expected.startsWith("accept if the server announces that capability")) {
    return { ...NO_OUTCOME, outcome: isAnnounced(file, announced(version ?? "")) ? "accepted" : "refused" };
  }
  const outcome = parseOutcome(expected);
  if (outcome === "refused") return refusalExpectation(expected, version);
  if (outcome === "unclear") return { ...NO_OUTCOME, outcome };
  return { ...NO_OUTCOME, ...readFinding(expected), warning: /\bWarning\b/.test(expected), outcome };
}

function parseOutcome(expected: string): Expectation["outcome"] {
  if (EITHER_OUTCOME_PATTERN.test(expected)) return "either";
  const outcomeMatch = OUTCOME_PATTERN.exec(expected);
  if (!outcomeMatch) return "unclear";
  return outcomeMatch[1] === undefined ? "refused" : "accepted";
}

/** Parses an expected refusal. AlpineBits errors always have type 13. */
function refusalExpectation(expected: string, version: string | undefined): Expectation {
  const { type, code } = readFinding(expected);
  const status = /\bHTTP (\d{3})\b(?! when)/.exec(expected)?.[1];
  return {
    outcome: "refused",
    type: type !== undefined && version !== undefined ? 13 : type,
    code,
    status: status === undefined ? undefined : Number(status),
    textPattern: parseTextPattern(expected),
    fault: expected.startsWith("SOAP Fault"),
    warning: false,
  };
}

function parseTextPattern(expected: string): RegExp | undefined {
  if (/names? line\/column/.test(expected)) return /line \d+, column \d+/;
  if (expected.includes("in a RS of that name")) return /<OTA_\w+RS\b/;
  return undefined;
}

function readFinding(expected: string): Pick<Expectation, "type" | "code"> {
  const typeMatch = /\bType=(\d+)(?: Code=(\d+))?/.exec(expected);
  const code = typeMatch?.[2] ?? /\bErrors (\d+)\b/.exec(expected)?.[1];
  return { type: typeMatch ? Number(typeMatch[1]) : undefined, code: code === undefined ? undefined : Number(code) };
}

/**
 * Returns whether the capabilities include the one that a sample requires. For example, `.../x_support_out-of-market.xml` requires a
 * capability that ends in `_accept_out_of_market`.
 */
function isAnnounced(file: string, capabilities: readonly string[]): boolean {
  const suffix = /_support_([\w-]+)\.xml$/.exec(file)?.[1]?.replaceAll("-", "_");
  return suffix !== undefined && capabilities.some((capability) => capability.endsWith(`_accept_${suffix}`));
}
