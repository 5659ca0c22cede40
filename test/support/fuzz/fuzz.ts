import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type FreshApp, startFreshApp } from "../../../src/cli/conformance/fresh-app.ts";
import { parseResponse } from "../../../src/cli/conformance/response-check.ts";
import { createHotel } from "../../../src/cli/conformance/store.ts";
import { fixedClock, stopwatch } from "../../../src/clock.ts";
import { NOON } from "../channel.ts";
import { cpuTime } from "../cpu.ts";
import { type Input, inputOf } from "./mutate.ts";
import { randomOf } from "./random.ts";
import { hotelsOf, seedsOf } from "./seeds.ts";

export type FuzzOptions = {
  inputs: number;
  seed: number;
  samples?: string | undefined;
  progress?(done: number): void;
};

export type Finding = { problem: string; input: Input; answer: string };

export type FuzzReport = {
  statuses: ReadonlyMap<number, number>;
  findings: readonly Finding[];
  accepted: number;
  /** Wall time, or CPU time for inputs that took over 100 ms. */
  slowest: { milliseconds: number; input: Input | undefined };
  /** Bytes in use after garbage collection: `early` after a fifth of the inputs, `late` at the end. */
  memory: { early: number; late: number };
};

/** Maximum CPU time per input. Wall time would depend on other processes. */
const SLOW_MS = 1_000;
/** Inputs that exceed this wall time are measured again on their own. */
const RETRY_ABOVE_MS = 100;
const CONCURRENT_INPUTS = 8;
const SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

type State = { service: FreshApp; statuses: Map<number, number>; findings: Finding[]; accepted: number; slowest: FuzzReport["slowest"] };

/** Sends malformed inputs to a complete service and checks every response. */
export async function fuzz({ inputs, seed, samples, progress }: FuzzOptions): Promise<FuzzReport> {
  await using service = await startFreshApp(fixedClock(NOON));
  const seeds = seedsOf(samples);
  for (const [code, categories] of hotelsOf(seeds)) {
    await createHotel(service.database, { code, name: code, currency: "EUR", categories: [...categories] }, NOON);
  }
  const random = randomOf(seed);
  const state: State = { service, statuses: new Map(), findings: [], accepted: 0, slowest: { milliseconds: 0, input: undefined } };
  const early = Math.floor(inputs / 5);
  let memory = 0;
  for (let done = 0; done < inputs; done += CONCURRENT_INPUTS) {
    if (done >= early && done < early + CONCURRENT_INPUTS) memory = memoryInUse();
    const batch = Array.from({ length: Math.min(CONCURRENT_INPUTS, inputs - done) }, () => inputOf(seeds, random));
    const answers = await Promise.all(batch.map((input) => post(service, input)));
    for (const [index, answer] of answers.entries()) await checkAnswer(state, batch[index]!, answer);
    progress?.(Math.min(inputs, done + CONCURRENT_INPUTS));
  }
  const { statuses, findings, accepted, slowest } = state;
  return { statuses, findings, accepted, slowest, memory: { early: memory, late: memoryInUse() } };
}

async function checkAnswer(state: State, input: Input, answer: Answered): Promise<void> {
  state.statuses.set(answer.status, (state.statuses.get(answer.status) ?? 0) + 1);
  const milliseconds = answer.milliseconds > RETRY_ABOVE_MS ? await measureAlone(state.service, input) : answer.milliseconds;
  if (milliseconds > state.slowest.milliseconds) state.slowest = { milliseconds, input };
  if (/<Success\b|^\{"data":/.test(answer.text)) state.accepted++;
  const problem = problemOf(answer, milliseconds) ?? (await problemOfEntry(state.service, answer));
  if (problem !== undefined && state.findings.length < 50) state.findings.push({ problem, input, answer: answer.text });
}

/** Returns the CPU time of an input on its own: the best of up to three runs. */
async function measureAlone(service: FreshApp, input: Input): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && best > RETRY_ABOVE_MS; time++) best = Math.min(best, await cpuTime(() => post(service, input)));
  return best;
}

/** `id` is the message log ID. */
type Answered = { status: number; type: string; text: string; id: number; milliseconds: number };

async function post({ app }: FreshApp, { headers, body }: Input): Promise<Answered> {
  const elapsed = stopwatch();
  try {
    const response = await app.inject({ method: "POST", url: "/channel", headers, payload: body });
    const type = String(response.headers["content-type"] ?? "");
    const id = Number(response.headers["x-message-id"]);
    return { status: response.statusCode, type, text: response.body, id, milliseconds: elapsed() };
  } catch (error) {
    const text = error instanceof Error ? String(error.stack) : String(error);
    return { status: 0, type: "", text, id: 0, milliseconds: elapsed() };
  }
}

function problemOf({ status, type, text }: Answered, milliseconds: number): string | undefined {
  if (status === 0) return "thrown";
  if (milliseconds > SLOW_MS) return `took ${Math.round(milliseconds)} ms`;
  const { problem, elements, namespaces, success, errors } = parseResponse(status, type, text);
  if (status >= 500 && !(status === 500 && elements.has("Fault") && namespaces.has(SOAP_11))) return `HTTP ${status}`;
  if (problem !== undefined) return `not well-formed: ${problem}`;
  const hasErrorText = success || errors.length > 0 || elements.has("Fault") || text.startsWith("ERROR:");
  return hasErrorText ? undefined : "neither success nor error";
}

async function problemOfEntry({ database }: FreshApp, { id }: Answered): Promise<string | undefined> {
  const entry = await database.read
    .selectFrom("message")
    .select(["outcome", "changed_nights"])
    .where("id", "=", id || 0)
    .executeTakeFirst();
  if (!entry) return "it is not in the message log";
  const isAccepted = entry.outcome === "ok" || entry.outcome === "warnings";
  return isAccepted || entry.changed_nights === 0 ? undefined : "a refused message changed nights";
}

let collect: (() => void) | undefined;

function memoryInUse(): number {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
