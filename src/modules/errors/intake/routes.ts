import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Config } from "../../../config.ts";
import { snapshotRequest } from "../../../errors/describe/error.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";
import { MALFORMED_REPORTS, matchReportRule, TOO_MANY_REPORTS } from "../../../errors/rules.ts";
import { addressNetwork } from "../../../web/guard/backoff.ts";
import { shareOfRate, TokenBuckets } from "../../../web/guard/token-bucket.ts";
import { HttpException, messageOf } from "../../../web/http-error.ts";
import { type ErrorsNeeds } from "../needs.ts";
import {
  type Delivery,
  describePolicyReport,
  describeReport,
  type PolicyReport,
  policyReport,
  type Report,
  scriptReport,
} from "./reports.ts";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_NETWORKS = 10_000;

/** Registers `/_errors/log` and `/_errors/csp`. Needs a separate scope, because it replaces body parsers and the error handler. */
export function addIntakes(scope: FastifyInstance, services: ErrorsNeeds): void {
  addReportParser(scope);
  scope.setErrorHandler(sendRefusal);
  const allow = limiter(services);
  addIntake(scope, services, { ...SCRIPT_REPORTS, allow });
  addIntake(scope, services, { ...CSP_REPORTS, allow });
}

type Intake<R> = {
  url: string;
  about: string;
  types: readonly string[];
  maxReports: number;
  schema: z.ZodType<R>;
  describe(report: R, delivery: Delivery): ErrorOutline;
  ignoreRule(report: R, request: FastifyRequest, values: Config["values"]): string | undefined;
};

const SCRIPT_REPORTS = {
  url: "/_errors/log",
  about: "records an error reported by a browser",
  types: ["application/json", "text/plain"],
  maxReports: 10,
  schema: scriptReport,
  describe: (report: Report, delivery: Delivery) => describeReport("js", report, delivery),
  ignoreRule: () => undefined,
};

const CSP_REPORTS = {
  url: "/_errors/csp",
  about: "records a Content Security Policy report",
  types: ["application/csp-report", "application/reports+json", "application/json"],
  maxReports: 50,
  schema: policyReport,
  describe: describePolicyReport,
  ignoreRule: (report: PolicyReport, { hostname }: FastifyRequest, { IGNORE_CSP_REPORTS: kinds, PUBLIC_URL }: Config["values"]) =>
    matchReportRule(report, { kinds, host: PUBLIC_URL?.hostname ?? hostname }),
};

type RateLimiter = (request: FastifyRequest, count: number, total: number) => void;

function addIntake<R>(
  scope: FastifyInstance,
  { errors, clock, config: { values } }: ErrorsNeeds,
  intake: Intake<R> & { allow: RateLimiter },
): void {
  const config = { about: intake.about, access: "open", token: "none" } as const;
  scope.post(intake.url, { config, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    intake.allow(request, 1, 1);
    const { reports, malformed } = readReports(request, intake);
    const total = reports.length + malformed;
    if (total > 1) intake.allow(request, total - 1, total);
    if (malformed > 0) errors.countRule(MALFORMED_REPORTS, malformed);
    const delivery = { snapshot: snapshotRequest(request), at: clock.now() };
    for (const report of reports) {
      const rule = intake.ignoreRule(report, request, values);
      if (rule === undefined) errors.add(() => intake.describe(report, delivery), delivery.at);
      else errors.countRule(rule);
    }
    return reply.code(204).send();
  });
}

/** High enough for a site with an error on every page, but low enough to protect the disk. */
function limiter({ clock, config, errors }: ErrorsNeeds): RateLimiter {
  const perNetwork = new TokenBuckets(shareOfRate({ burst: 300, perSecond: 10 }, config.workers), MAX_NETWORKS);
  const overall = new TokenBuckets(shareOfRate({ burst: 3_000, perSecond: 100 }, config.workers), 1);
  return (request, count, total) => {
    const now = clock.now();
    const seconds = perNetwork.take(addressNetwork(request.ip ?? ""), count, now) || overall.take("", count, now);
    if (seconds === 0) return;
    errors.countRule(TOO_MANY_REPORTS, total);
    throw new TooManyReports(seconds);
  };
}

class TooManyReports extends HttpException {
  readonly retryAfter: number;

  constructor(seconds: number) {
    super(429, `Too many reports; try again in ${seconds} s`);
    this.retryAfter = seconds;
  }
}

/** Reads every body as text, regardless of its content type, so that refusals can explain what is wrong. */
function addReportParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => done(null, body));
}

/** Reads one report or a list. A malformed report does not affect the others in its list. */
function readReports<R>(request: FastifyRequest, { types, schema, maxReports }: Intake<R>): { reports: R[]; malformed: number } {
  const json = readJson(request, types);
  if (Array.isArray(json) && json.length === 0) throw new HttpException(400, "The list of reports is empty");
  if (Array.isArray(json) && json.length > maxReports)
    throw new HttpException(413, `A request can contain up to ${maxReports} reports, not ${json.length}`);
  const all: unknown[] = Array.isArray(json) ? json : [json];
  const parsedReports = all.map((report) => schema.safeParse(report));
  const reports = parsedReports.flatMap((one) => (one.success ? [one.data] : []));
  const reportIssues = parsedReports.flatMap((one) => (one.success ? [] : one.error.issues.slice(0, 1)));
  const [issue] = reportIssues;
  if (reports.length > 0 || !issue) return { reports, malformed: reportIssues.length };
  const path = [...(Array.isArray(json) ? [0] : []), ...issue.path].join(".") || "report";
  throw new HttpException(400, `Invalid report: ${path}: ${issue.message}`);
}

function readJson(request: FastifyRequest, types: readonly string[]): unknown {
  if (typeof request.body !== "string" || request.body.trim() === "") throw new HttpException(400, "The body is empty; send a report");
  const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() ?? "";
  if (!types.includes(type)) throw new HttpException(415, `The content type must be one of ${types.join(", ")}, not '${type}'`);
  try {
    return JSON.parse(request.body.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new HttpException(400, `The body is not valid JSON: ${messageOf(error)}`);
  }
}

/** Doesn't record client errors, because otherwise anyone could fill the log. Passes server errors to the usual error handler. */
async function sendRefusal(thrown: FastifyError | HttpException, _request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const status = thrown.statusCode ?? 500;
  if (status >= 500) throw thrown;
  if (thrown instanceof TooManyReports) reply.header("retry-after", thrown.retryAfter);
  const isTooLarge = status === 413 && !(thrown instanceof HttpException);
  const message = isTooLarge ? `The body is larger than ${MAX_BODY_BYTES} bytes` : thrown.message;
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(`${JSON.stringify({ error: { status, message } })}\n`);
}
