import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Config } from "../../../config.ts";
import { snapshotRequest } from "../../../errors/describe/error.ts";
import type { ErrorOutline } from "../../../errors/entry.ts";
import { MALFORMED_REPORTS_RULE, matchReportRule, TOO_MANY_REPORTS_RULE } from "../../../errors/rules.ts";
import { addressNetwork } from "../../../web/guard/backoff.ts";
import { shareOfRate, TokenBuckets } from "../../../web/guard/token-bucket.ts";
import { HttpException, errorMessage } from "../../../web/http-error.ts";
import { type ErrorsDeps } from "../needs.ts";
import {
  type ReportDelivery,
  describePolicyReport,
  describeReport,
  type PolicyReport,
  policyReportSchema,
  type ErrorReport,
  scriptReportSchema,
} from "./reports.ts";

const MAX_BODY_BYTES = 64 * 1024;
const MAX_TRACKED_NETWORKS = 10_000;

/** Registers `/_errors/log` and `/_errors/csp`. Needs a separate scope, because it replaces body parsers and the error handler. */
export function addIntakes(scope: FastifyInstance, services: ErrorsDeps): void {
  addReportParser(scope);
  scope.setErrorHandler(sendRefusal);
  const checkRate = createRateLimiter(services);
  addIntake(scope, services, { ...SCRIPT_REPORT_INTAKE, allow: checkRate });
  addIntake(scope, services, { ...CSP_REPORT_INTAKE, allow: checkRate });
}

type ReportIntake<R> = {
  url: string;
  about: string;
  types: readonly string[];
  maxReports: number;
  schema: z.ZodType<R>;
  describe(report: R, delivery: ReportDelivery): ErrorOutline;
  ignoreRule(report: R, request: FastifyRequest, values: Config["values"]): string | undefined;
};

const SCRIPT_REPORT_INTAKE = {
  url: "/_errors/log",
  about: "records an error reported by a browser",
  types: ["application/json", "text/plain"],
  maxReports: 10,
  schema: scriptReportSchema,
  describe: (report: ErrorReport, delivery: ReportDelivery) => describeReport("js", report, delivery),
  ignoreRule: () => undefined,
};

const CSP_REPORT_INTAKE = {
  url: "/_errors/csp",
  about: "records a Content Security Policy report",
  types: ["application/csp-report", "application/reports+json", "application/json"],
  maxReports: 50,
  schema: policyReportSchema,
  describe: describePolicyReport,
  ignoreRule: (report: PolicyReport, { hostname }: FastifyRequest, { IGNORE_CSP_REPORTS: kinds, PUBLIC_URL }: Config["values"]) =>
    matchReportRule(report, { kinds, host: PUBLIC_URL?.hostname ?? hostname }),
};

type RateLimiter = (request: FastifyRequest, count: number, total: number) => void;

function addIntake<R>(
  scope: FastifyInstance,
  { errors, clock, config: { values } }: ErrorsDeps,
  intake: ReportIntake<R> & { allow: RateLimiter },
): void {
  const config = { about: intake.about, access: "open", token: "none" } as const;
  scope.post(intake.url, { config, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    intake.allow(request, 1, 1);
    const { reports, malformed } = readReports(request, intake);
    const total = reports.length + malformed;
    if (total > 1) intake.allow(request, total - 1, total);
    if (malformed > 0) errors.countRule(MALFORMED_REPORTS_RULE, malformed);
    const delivery = { snapshot: snapshotRequest(request), at: clock.now() };
    for (const report of reports) {
      const rule = intake.ignoreRule(report, request, values);
      if (rule === undefined) errors.add(() => intake.describe(report, delivery), delivery.at);
      else errors.countRule(rule);
    }
    return reply.code(204).send();
  });
}

/** Limits the number of reports. The limit is high enough for a site with an error on every page, but low enough to protect the disk. */
function createRateLimiter({ clock, config, errors }: ErrorsDeps): RateLimiter {
  const perNetwork = new TokenBuckets(shareOfRate({ burst: 300, perSecond: 10 }, config.workers), MAX_TRACKED_NETWORKS);
  const totalBuckets = new TokenBuckets(shareOfRate({ burst: 3_000, perSecond: 100 }, config.workers), 1);
  return (request, count, total) => {
    const now = clock.now();
    const waitSeconds = perNetwork.take(addressNetwork(request.ip ?? ""), count, now) || totalBuckets.take("", count, now);
    if (waitSeconds === 0) return;
    errors.countRule(TOO_MANY_REPORTS_RULE, total);
    throw new TooManyReports(waitSeconds);
  };
}

class TooManyReports extends HttpException {
  readonly retryAfter: number;

  constructor(waitSeconds: number) {
    super(429, `Too many reports; try again in ${waitSeconds} s`);
    this.retryAfter = waitSeconds;
  }
}

/** Reads every body as text, regardless of its content type, so that refusals can explain what is wrong. */
function addReportParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => done(null, body));
}

/** Reads one report or a list. A malformed report does not affect the others in its list. */
function readReports<R>(request: FastifyRequest, { types, schema, maxReports }: ReportIntake<R>): { reports: R[]; malformed: number } {
  const reportJson = readJson(request, types);
  if (Array.isArray(reportJson) && reportJson.length === 0) throw new HttpException(400, "The list of reports is empty");
  if (Array.isArray(reportJson) && reportJson.length > maxReports)
    throw new HttpException(413, `A request can contain up to ${maxReports} reports, not ${reportJson.length}`);
  const all: unknown[] = Array.isArray(reportJson) ? reportJson : [reportJson];
  const parsedReports = all.map((report) => schema.safeParse(report));
  const reports = parsedReports.flatMap((one) => (one.success ? [one.data] : []));
  const reportIssues = parsedReports.flatMap((one) => (one.success ? [] : one.error.issues.slice(0, 1)));
  const [issue] = reportIssues;
  if (reports.length > 0 || !issue) return { reports, malformed: reportIssues.length };
  const path = [...(Array.isArray(reportJson) ? [0] : []), ...issue.path].join(".") || "report";
  throw new HttpException(400, `Invalid report: ${path}: ${issue.message}`);
}

function readJson(request: FastifyRequest, types: readonly string[]): unknown {
  if (typeof request.body !== "string" || request.body.trim() === "") throw new HttpException(400, "The body is empty; send a report");
  const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() ?? "";
  if (!types.includes(type)) throw new HttpException(415, `The content type must be one of ${types.join(", ")}, not '${type}'`);
  try {
    return JSON.parse(request.body.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new HttpException(400, `The body is not valid JSON: ${errorMessage(error)}`);
  }
}

/**
 * Sends the response to a refused report. Doesn't record client errors, because otherwise anyone could fill the log. Passes server errors
 * to the usual error handler.
 */
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
