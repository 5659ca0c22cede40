import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readAnswer } from "../../../src/cli/conformance/answer.ts";
import { type FreshApp, startFreshApp } from "../../../src/cli/conformance/fresh-app.ts";
import { createHotel } from "../../../src/cli/conformance/store.ts";
import { fixedClock, stopwatch } from "../../../src/clock.ts";
import { NOON } from "../channel.ts";
import { type Input, inputOf } from "./mutate.ts";
import { randomOf } from "./random.ts";
import { hotelsOf, seedsOf } from "./seeds.ts";

export type FuzzOptions = {
  inputs: number;
  /** The same seed sends the same inputs. */
  seed: number;
  /** A folder of messages to begin with, beside the examples. */
  samples?: string | undefined;
  progress?(done: number): void;
};

/** An input that was answered as none may be. */
export type Finding = { problem: string; input: Input; answer: string };

/** Bytes of memory in use after garbage collection, at a fifth of the inputs and at the end. */
export type FuzzReport = {
  statuses: ReadonlyMap<number, number>;
  findings: readonly Finding[];
  slowest: number;
  memory: { early: number; late: number };
};

const SLOW_MS = 1_000;
const AT_ONCE = 8;
const SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

type State = { service: FreshApp; statuses: Map<number, number>; findings: Finding[]; slowest: number };

/** Sends inputs that nobody should send to a whole service, and looks at every answer. */
export async function fuzz({ inputs, seed, samples, progress }: FuzzOptions): Promise<FuzzReport> {
  await using service = await startFreshApp(fixedClock(NOON));
  const seeds = seedsOf(samples);
  for (const [code, categories] of hotelsOf(seeds)) {
    await createHotel(service.database, { code, name: code, currency: "EUR", categories: [...categories] }, NOON);
  }
  const random = randomOf(seed);
  const state: State = { service, statuses: new Map(), findings: [], slowest: 0 };
  const early = Math.floor(inputs / 5);
  let memory = 0;
  for (let done = 0; done < inputs; done += AT_ONCE) {
    if (done >= early && done < early + AT_ONCE) memory = memoryInUse();
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, inputs - done) }, () => send(state, inputOf(seeds, random))));
    progress?.(Math.min(inputs, done + AT_ONCE));
  }
  const { statuses, findings, slowest } = state;
  return { statuses, findings, slowest, memory: { early: memory, late: memoryInUse() } };
}

async function send(state: State, input: Input): Promise<void> {
  const answer = await post(state.service, input);
  state.statuses.set(answer.status, (state.statuses.get(answer.status) ?? 0) + 1);
  const milliseconds = answer.milliseconds > SLOW_MS ? await alone(state.service, input) : answer.milliseconds;
  state.slowest = Math.max(state.slowest, milliseconds);
  const problem = problemOf(answer, milliseconds);
  if (problem !== undefined && state.findings.length < 50) state.findings.push({ problem, input, answer: answer.text });
}

/** How long an input takes that had others beside it: the best of three. */
async function alone(service: FreshApp, input: Input): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) times.push((await post(service, input)).milliseconds);
  return Math.min(...times);
}

type Answered = { status: number; type: string; text: string; milliseconds: number };

async function post({ app }: FreshApp, { headers, body }: Input): Promise<Answered> {
  const elapsed = stopwatch();
  try {
    const response = await app.inject({ method: "POST", url: "/channel", headers, payload: body });
    const type = String(response.headers["content-type"] ?? "");
    return { status: response.statusCode, type, text: response.body, milliseconds: elapsed() };
  } catch (error) {
    return { status: 0, type: "", text: error instanceof Error ? String(error.stack) : String(error), milliseconds: elapsed() };
  }
}

function problemOf({ status, type, text }: Answered, milliseconds: number): string | undefined {
  if (status === 0) return "thrown";
  if (milliseconds > SLOW_MS) return `took ${Math.round(milliseconds)} ms`;
  const { problem, elements, namespaces, success, errors } = readAnswer(status, type, text);
  if (status >= 500 && !(status === 500 && elements.has("Fault") && namespaces.has(SOAP_11))) return `HTTP ${status}`;
  if (problem !== undefined) return `not well-formed: ${problem}`;
  const isWorded = success || errors.length > 0 || elements.has("Fault") || text.startsWith("ERROR:");
  return isWorded ? undefined : "neither success nor error";
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
