import { todayIn } from "../../calendar/night.ts";
import { type Clock, cpuStopwatch } from "../../clock.ts";
import { messages } from "../../modules/channel/messages/index.ts";
import { announce } from "../../modules/channel/messages/ping/handshake.ts";
import { categoriesOf } from "../../records/category/store.ts";
import { messageOf } from "../../web/http-error.ts";
import { Schemas } from "../../xml/schemas.ts";
import { readAnswer } from "./answer.ts";
import { BASELINE_NIGHTS, baselineMessages } from "./baseline.ts";
import { moveDates } from "./dates.ts";
import { exceptionOf } from "./exceptions.ts";
import { type Expectation, readExpectation } from "./expectation.ts";
import { type Checked, checkFacts } from "./facts.ts";
import { type FreshApp, startFreshApp } from "./fresh-app.ts";
import { judgeAnswer } from "./judge.ts";
import { type MessageCodes, readCodes } from "./message-codes.ts";
import { takeSnapshot } from "./nights.ts";
import { readSamples, type Sample } from "./samples.ts";
import { type Sending, sendingsOf } from "./sending.ts";
import { createHotel, fingerprint, forgetHotels, type Hotel } from "./store.ts";

/** The outcome of one message of a folder. */
export type Result = {
  file: string;
  source: string;
  expected: string;
  outcome: Expectation["outcome"];
  /** The differences, in words. */
  misses: readonly string[];
  /** Why a miss is right after all. */
  exception: string | undefined;
  /** Statements about stored values that were checked. */
  facts: number;
  /** Answers that a schema was asked about. */
  validated: number;
  answer: string;
};

/** `schemas` is the folder that has `alpinebits/<version>/alpinebits.xsd`; without it the folder of the messages. */
export type RunOptions = { clock: Clock; schemas?: string | undefined };

type Run = FreshApp & { clock: Clock; schemas: Schemas };

/** CPU time, so that a busy machine makes no message slow. */
const SLOW_MS = 1_000;

/** Sends every message of a folder to a service of its own, each to a property made for it, and compares. Throws `UsageError`. */
export async function runFolder(folder: string, { clock, schemas: place = folder }: RunOptions): Promise<Result[]> {
  const samples = readSamples(folder);
  await using fresh = await startFreshApp(clock);
  const run: Run = { ...fresh, clock, schemas: new Schemas(place) };
  const results: Result[] = [];
  for (const sample of samples) results.push(await runSample(run, sample));
  return results;
}

function announced(version: string): readonly string[] {
  const found = announce(messages).versions.find((one) => one.version === version);
  return (found?.actions ?? []).flatMap(({ supports = [] }) => supports);
}

async function runSample(run: Run, sample: Sample): Promise<Result> {
  const { file, source, expected } = sample;
  const wanted = readExpectation(sample, announced);
  const base = { file, source, expected, exception: exceptionOf(file), outcome: wanted.outcome };
  try {
    return { ...base, ...(await sendSample(run, sample, wanted)) };
  } catch (error) {
    return { ...base, misses: [`it cannot be sent: ${messageOf(error)}`], facts: 0, validated: 0, answer: "" };
  }
}

type Sent = Pick<Result, "misses" | "facts" | "validated" | "answer">;

async function sendSample(run: Run, sample: Sample, wanted: Expectation): Promise<Sent> {
  const tomorrow = todayIn("UTC", run.clock.now()) + 1;
  const given = sample.read();
  const bytes = isAboutPast(sample.expected) ? given : moveDates(given, tomorrow);
  const codes = readCodes(bytes);
  const hotel = hotelFor(sample, codes, wanted);
  await forgetHotels(run.database);
  await createHotel(run.database, hotel, run.clock.now());
  for (const message of baselineMessages({ hotel: hotel.code, categories: hotel.categories, plans: codes.plans, from: tomorrow })) {
    await post(run, { headers: { "content-type": "application/xml" }, body: Buffer.from(message), status: undefined });
  }
  const attempts: Attempt[] = [];
  for (const sending of sendingsOf(sample, bytes, codes))
    attempts.push(await attempt(run, sending, { sample, wanted, codes, hotel, tomorrow }));
  return {
    misses: attempts.flatMap(({ misses }) => misses),
    facts: sum(attempts.map(({ facts }) => facts)),
    validated: sum(attempts.map(({ validated }) => validated)),
    answer: attempts.map(({ answer }) => answer).join("\n"),
  };
}

/** The dates of a message about past nights stay in the past. */
function isAboutPast(expected: string): boolean {
  return /\bpast\b|before today/i.test(expected);
}

/** The property that a message is for, or where the code has to be unknown, another one. */
function hotelFor({ expected }: Sample, codes: MessageCodes, { code }: Expectation): Hotel {
  const currency = /property is ([A-Z]{3})\b/.exec(expected)?.[1] ?? "EUR";
  const categories = codes.categories.length > 0 ? codes.categories : ["DBL"];
  return {
    code: code === 392 || isUnknown(expected, "hotel|property") ? "OTHER" : (codes.hotel ?? "OTHER"),
    name: codes.hotelName ?? "Hotel",
    currency,
    categories: code === 402 || isUnknown(expected, "room|room type|category") ? categories.map(inOtherCase) : categories,
  };
}

function isUnknown(expected: string, names: string): boolean {
  return new RegExp(`\\bunknown (${names})\\b`, "i").test(expected);
}

/** The code that a careless comparison would take for the same. */
function inOtherCase(code: string): string {
  const other = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  return other === code ? `${code}-2` : other;
}

type Attempt = Checked & { validated: number; answer: string };
type Context = { sample: Sample; wanted: Expectation; codes: MessageCodes; hotel: Hotel; tomorrow: number };

async function attempt(run: Run, sending: Sending, { sample, wanted, codes, hotel, tomorrow }: Context): Promise<Attempt> {
  const { database, schemas } = run;
  const { first = tomorrow, last = first } = codes;
  const range = { first: first - 1, last: Math.min(last, first + BASELINE_NIGHTS) + 1 };
  const before = await takeSnapshot(database, hotel.code, range);
  const recordsBefore = await fingerprint(database);
  const { answer, id, milliseconds, bytes } = await post(run, sending);
  const misses = judgeAnswer(answer, wanted, sending.status);
  if (milliseconds > SLOW_MS) misses.push(`it took ${Math.round(milliseconds)} ms of CPU time`);
  if (!answer.success && (await fingerprint(database)) !== recordsBefore) misses.push("it was refused, and something changed");
  misses.push(...envelopeMisses(answer.namespaces, sample.expected), ...(await logMisses(run, id, sample.expected)));
  const isXml = sample.version !== undefined && !answer.text.startsWith("ERROR:");
  const verdict = isXml ? await schemas.judge(bytes, { version: sample.version! }) : undefined;
  for (const fault of verdict?.faults ?? []) misses.push(`the answer is not valid: ${fault}`);
  const validated = Number(verdict !== undefined);
  if (!answer.success) return { facts: 0, misses, validated, answer: answer.text };
  const after = await takeSnapshot(database, hotel.code, range);
  const statuses = (await categoriesOf(database, hotel.code)).map(({ status }) => status);
  const seen = { codes, first, last: Math.min(last, first + BASELINE_NIGHTS), before, after, statuses };
  const checked = checkFacts(sample.expected, seen);
  return { facts: checked.facts, misses: [...misses, ...checked.misses], validated, answer: answer.text };
}

async function post({ app }: Run, { headers, body }: Sending) {
  const elapsed = cpuStopwatch();
  const response = await app.inject({ method: "POST", url: "/channel", headers, payload: Buffer.from(body) });
  const milliseconds = elapsed();
  const answer = readAnswer(response.statusCode, String(response.headers["content-type"] ?? ""), response.body);
  return { answer, id: String(response.headers["x-message-id"] ?? ""), milliseconds, bytes: response.rawPayload };
}

const ENVELOPES = { "1.1": "http://schemas.xmlsoap.org/soap/envelope/", "1.2": "http://www.w3.org/2003/05/soap-envelope" } as const;

function envelopeMisses(namespaces: ReadonlySet<string>, expected: string): string[] {
  const version = /SOAP (1\.[12]) envelope/.exec(expected)?.[1] ?? (expected.includes("in envelope") ? "1.1" : undefined);
  const namespace = version && ENVELOPES[version as keyof typeof ENVELOPES];
  return namespace && !namespaces.has(namespace) ? [`the answer is in no SOAP ${version} envelope`] : [];
}

/** Pages of the log show what came as text. */
async function logMisses({ app }: Run, id: string, expected: string): Promise<string[]> {
  const decoded = /decoded as (\S+)/.exec(expected)?.[1];
  if (decoded === undefined && !expected.includes("log page")) return [];
  const { statusCode, body } = await app.inject({ method: "GET", url: `/dev/logs/${id}` });
  if (statusCode !== 200) return [`the page of the message answers HTTP ${statusCode}`];
  if (decoded !== undefined && !body.includes(decoded)) return [`the page of the message does not show ${decoded}`];
  return /<script>\s*alert/.test(body) ? ["the page of the message has markup that was sent"] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
