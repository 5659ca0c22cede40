import type { AnswerFinding, ReadAnswer } from "./answer.ts";
import type { Expectation } from "./expectation.ts";

/** What is wrong about an answer, in words; nothing when it is as expected. */
export function judgeAnswer(answer: ReadAnswer, wanted: Expectation, status: number | undefined): string[] {
  const misses = [problemOf(answer), statusMiss(answer, status ?? wanted.status), outcomeMiss(answer, wanted), wordsMiss(answer, wanted)];
  return misses.filter((miss) => miss !== undefined);
}

function problemOf({ problem, success, errors }: ReadAnswer): string | undefined {
  if (problem !== undefined) return `the answer is not well-formed: ${problem}`;
  return success && errors.length > 0 ? "the answer has Success and Errors" : undefined;
}

function statusMiss({ status }: ReadAnswer, wanted: number | undefined): string | undefined {
  return wanted === undefined || wanted === status ? undefined : `HTTP ${status}, not ${wanted}`;
}

/** A refusal in the words of a protocol, `ERROR:` or a fault, has neither type nor code. */
function outcomeMiss(answer: ReadAnswer, wanted: Expectation): string | undefined {
  const { success, errors, warnings, text, elements, status } = answer;
  const isFault = elements.has("Fault");
  const isRefused = !success && (errors.length > 0 || isFault || text.startsWith("ERROR:"));
  if (status === 500 && !isFault) return "HTTP 500";
  if (wanted.outcome === "unclear") return "not judged: the expectation says neither that it is accepted nor that it is refused";
  if (wanted.outcome === "accepted" && !success) return "it was not accepted";
  if (wanted.outcome === "refused" && !isRefused) return "it was not refused";
  if (wanted.outcome === "either") return success || isRefused ? undefined : "it was neither accepted nor refused";
  if (isFault) return wanted.fault || wanted.type === 12 ? undefined : "a SOAP fault";
  if (text.startsWith("ERROR:")) return undefined;
  if (wanted.warning && warnings.length === 0) return "it came with no warning";
  return findingMiss(success ? warnings : errors, wanted);
}

function findingMiss(findings: readonly AnswerFinding[], { type, code }: Expectation): string | undefined {
  if (type === undefined && code === undefined) return undefined;
  const isThere = findings.some((one) => (type === undefined || one.type === type) && (code === undefined || one.code === code));
  if (isThere) return undefined;
  const found = findings.map((one) => `Type=${one.type} Code=${one.code ?? "-"}`).join(", ") || "nothing";
  return `it says ${found}, not Type=${type ?? "any"} Code=${code ?? "any"}`;
}

function wordsMiss({ text }: ReadAnswer, { words }: Expectation): string | undefined {
  return words === undefined || words.test(text) ? undefined : `the answer has no ${words.source}`;
}
