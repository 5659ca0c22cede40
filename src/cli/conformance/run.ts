import { todayIn } from "../../calendar/night.ts";
import { type Clock, cpuStopwatch } from "../../clock.ts";
import { messages } from "../../modules/channel/messages/index.ts";
import { announceCapabilities } from "../../modules/channel/messages/ping/handshake.ts";
import type { StoredProfile } from "../../modules/channel/profiles/knobs.ts";
import { profileFrom, STANDARD_PROFILE } from "../../modules/channel/profiles/presets.ts";
import { createSender, deleteSender, type NewSender } from "../../modules/channel/senders/edit-store.ts";
import type { By } from "../../records/audit.ts";
import { listCategoryBriefs } from "../../records/category/store.ts";
import { errorMessage } from "../../web/http-error.ts";
import { SchemaValidator } from "../../xml/schemas.ts";
import { type FactResult, checkFacts, takeSnapshot } from "./facts.ts";
import { type FreshApp, startFreshApp } from "./fresh-app.ts";
import {
  BASELINE_NIGHTS,
  baselineMessages,
  codesAsRead,
  type MessageCodes,
  moveDates,
  readCodes,
  type SampleRequest,
  requestsFor,
} from "./requests.ts";
import { type Expectation, checkResponse, parseResponse, readExpectation } from "./response-check.ts";
import { findException, readSamples, type Sample } from "./samples.ts";
import { createHotel, deleteHotels, fingerprint, type Hotel } from "./store.ts";

export type RunResult = {
  file: string;
  source: string;
  expected: string;
  outcome: Expectation["outcome"];
  mismatches: readonly string[];
  exception: string | undefined;
  facts: number;
  validated: number;
  answer: string;
};

/** `schemas` is the folder that contains `alpinebits/<version>/alpinebits.xsd`. Default: the folder of the messages. */
export type RunOptions = {
  clock: Clock;
  schemas?: string | undefined;
  /** Used for messages that have no profile in the list. */
  profile?: StoredProfile | undefined;
};

type Run = FreshApp & {
  clock: Clock;
  schemas: SchemaValidator;
  /** Whether any message has a profile. If none has one, no senders are created, so that the channel needs no credentials. */
  needsSender: boolean;
};

const MAX_MESSAGE_CPU_MS = 1_000;

export async function runFolder(folder: string, { clock, schemas: place = folder, profile }: RunOptions): Promise<RunResult[]> {
  const samples = readSamples(folder).map((sample) => ({ ...sample, profile: sample.profile ?? profile }));
  const needsSender = samples.some((sample) => sample.profile !== undefined);
  await using fresh = await startFreshApp(clock);
  const run: Run = { ...fresh, clock, schemas: new SchemaValidator(place), needsSender };
  const results: RunResult[] = [];
  for (const sample of samples) results.push(await runSample(run, sample));
  return results;
}

function announcedCapabilities(version: string): readonly string[] {
  const announcement = announceCapabilities(messages).versions.find((one) => one.version === version);
  return (announcement?.actions ?? []).flatMap(({ action, supports = [] }) => [action, ...supports]);
}

async function runSample(run: Run, sample: Sample): Promise<RunResult> {
  const { file, source, expected } = sample;
  const expectation = readExpectation(sample, announcedCapabilities);
  const base = { file, source, expected, exception: findException(file), outcome: expectation.outcome };
  try {
    return { ...base, ...(await sendSample(run, sample, expectation)) };
  } catch (error) {
    return { ...base, mismatches: [`it could not be sent: ${errorMessage(error)}`], facts: 0, validated: 0, answer: "" };
  }
}

type SampleResult = Pick<RunResult, "mismatches" | "facts" | "validated" | "answer">;

async function sendSample(run: Run, sample: Sample, expectation: Expectation): Promise<SampleResult> {
  const tomorrow = todayIn("UTC", run.clock.now()) + 1;
  const originalBytes = sample.read();
  const bytes = /\bpast\b|before today/i.test(sample.expected) ? originalBytes : moveDates(originalBytes, tomorrow);
  const codes = codesAsRead(readCodes(bytes), profileFrom(sample.profile ?? STANDARD_PROFILE));
  const hotel = hotelFor(sample, codes, expectation);
  await deleteHotels(run.database);
  await createHotel(run.database, hotel, run.clock.now());
  const { standard: standardPoster, own } = await createSenders(run, sample, hotel);
  for (const message of baselineMessages({ hotel: hotel.code, categories: hotel.categories, plans: codes.plans, from: tomorrow })) {
    await postRequest(standardPoster, { headers: { "content-type": "application/xml" }, body: Buffer.from(message), status: undefined });
  }
  const attempts: SampleAttempt[] = [];
  for (const request of requestsFor(sample, bytes, codes))
    attempts.push(await trySample({ ...run, ...own }, request, { sample, expectation, codes, hotel, tomorrow }));
  return {
    mismatches: attempts.flatMap(({ mismatches }) => mismatches),
    facts: sum(attempts.map(({ facts }) => facts)),
    validated: sum(attempts.map(({ validated }) => validated)),
    answer: attempts.map(({ answer: parsedResponse }) => parsedResponse).join("\n"),
  };
}

type RequestSender = Pick<FreshApp, "app"> & { secret: string | undefined };

/** Creates a standard sender and one with the sample's profile, limited to one property if its credentials identify the property. */
async function createSenders({ app, database, clock, needsSender }: Run, { profile = STANDARD_PROFILE }: Sample, hotel: Hotel) {
  const by: By = { at: clock.now(), actor: "conformance", kind: "command" };
  const create = async (name: string, access: Pick<NewSender, "hotels" | "profile">) => {
    if (!needsSender) return undefined;
    await deleteSender(database, name, by);
    return createSender(database, { name, ...access }, by);
  };
  const hotels = profileFrom(profile).hotelCode === "credential" ? [hotel.code] : undefined;
  const standardPoster: RequestSender = { app, secret: await create("baseline", { hotels: undefined, profile: STANDARD_PROFILE }) };
  return { standard: standardPoster, own: { app, secret: await create("sample", { hotels, profile }) } satisfies RequestSender };
}

function hotelFor({ expected }: Sample, codes: MessageCodes, { code }: Expectation): Hotel {
  const currency = /property is ([A-Z]{3})\b/.exec(expected)?.[1] ?? "EUR";
  const extraCategories = expected.includes("those not sent") ? ["OTHER"] : [];
  const categories = codes.categories.length > 0 ? [...codes.categories, ...extraCategories] : ["DBL"];
  return {
    code: code === 392 || isUnknown(expected, "hotel|property") ? "OTHER" : (codes.hotel ?? "OTHER"),
    name: codes.hotelName ?? "Hotel",
    currency,
    categories: code === 402 || isUnknown(expected, "room|room type|category") ? categories.map(changeCase) : categories,
  };
}

function isUnknown(expected: string, names: string): boolean {
  return new RegExp(`\\bunknown (${names})\\b`, "i").test(expected);
}

function changeCase(code: string): string {
  const otherCase = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  return otherCase === code ? `${code}-2` : otherCase;
}

type SampleAttempt = FactResult & { validated: number; answer: string };
type AttemptContext = { sample: Sample; expectation: Expectation; codes: MessageCodes; hotel: Hotel; tomorrow: number };

async function trySample(
  run: Run & RequestSender,
  request: SampleRequest,
  { sample, expectation, codes, hotel, tomorrow }: AttemptContext,
): Promise<SampleAttempt> {
  const { database, schemas } = run;
  const { first = tomorrow, last = first } = codes;
  const range = { first: first - 1, last: Math.min(last, first + BASELINE_NIGHTS) + 1 };
  const before = await takeSnapshot(database, hotel.code, range);
  const recordsBefore = await fingerprint(database);
  const { answer: parsedResponse, id, milliseconds, bytes } = await postRequest(run, request);
  const mismatches = checkResponse(parsedResponse, expectation, request.status);
  if (milliseconds > MAX_MESSAGE_CPU_MS) mismatches.push(`it took ${Math.round(milliseconds)} ms of CPU time`);
  if (!parsedResponse.success && (await fingerprint(database)) !== recordsBefore) mismatches.push("it was refused, but records changed");
  mismatches.push(...envelopeMismatches(parsedResponse.namespaces, sample.expected), ...(await logMismatches(run, id, sample.expected)));
  const isXml = sample.version !== undefined && !parsedResponse.text.startsWith("ERROR:");
  const verdict = isXml ? await schemas.validate(bytes, { version: sample.version! }) : undefined;
  for (const error of verdict?.errors ?? []) mismatches.push(`the response is not valid: ${error}`);
  const validatedCount = Number(verdict !== undefined);
  if (!parsedResponse.success) return { facts: 0, mismatches, validated: validatedCount, answer: parsedResponse.text };
  const after = await takeSnapshot(database, hotel.code, range);
  const statuses = (await listCategoryBriefs(database, hotel.code)).map(({ status }) => status);
  const observation = { codes, first, last: Math.min(last, first + BASELINE_NIGHTS), before, after, statuses };
  const factResult = checkFacts(sample.expected, observation);
  return {
    facts: factResult.facts,
    mismatches: [...mismatches, ...factResult.mismatches],
    validated: validatedCount,
    answer: parsedResponse.text,
  };
}

async function postRequest({ app, secret }: RequestSender, { headers: sent, body }: SampleRequest) {
  const elapsed = cpuStopwatch();
  const headers = { ...sent, ...(secret !== undefined && { authorization: `Bearer ${secret}` }) };
  const response = await app.inject({ method: "POST", url: "/channel", headers, payload: Buffer.from(body) });
  const milliseconds = elapsed();
  const parsedResponse = parseResponse(response.statusCode, String(response.headers["content-type"] ?? ""), response.body);
  return { answer: parsedResponse, id: String(response.headers["x-message-id"] ?? ""), milliseconds, bytes: response.rawPayload };
}

const ENVELOPE_NAMESPACES = {
  "1.1": "http://schemas.xmlsoap.org/soap/envelope/",
  "1.2": "http://www.w3.org/2003/05/soap-envelope",
} as const;

function envelopeMismatches(namespaces: ReadonlySet<string>, expected: string): string[] {
  const version = /SOAP (1\.[12]) envelope/.exec(expected)?.[1] ?? (expected.includes("in envelope") ? "1.1" : undefined);
  const namespace = version && ENVELOPE_NAMESPACES[version as keyof typeof ENVELOPE_NAMESPACES];
  return namespace && !namespaces.has(namespace) ? [`the response is not in a SOAP ${version} envelope`] : [];
}

async function logMismatches({ app }: Run, id: string, expected: string): Promise<string[]> {
  const expectedEncoding = /decoded as (\S+)/.exec(expected)?.[1];
  if (expectedEncoding === undefined && !expected.includes("log page")) return [];
  const { statusCode, body } = await app.inject({ method: "GET", url: `/dev/logs/${id}` });
  if (statusCode !== 200) return [`the log page returns HTTP ${statusCode}`];
  if (expectedEncoding !== undefined && !body.includes(expectedEncoding)) return [`the log page does not show ${expectedEncoding}`];
  return /<script>\s*alert/.test(body) ? ["the log page contains unescaped markup from the message"] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
