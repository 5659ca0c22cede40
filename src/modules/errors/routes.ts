import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Config } from "../../config.ts";
import { ruleReport, TOO_MANY_REPORTS } from "../../errors/describe/ignore.ts";
import { seeRequest } from "../../errors/describe/request.ts";
import type { ErrorOutline } from "../../errors/entry.ts";
import { networkOf } from "../../web/guard/backoff.ts";
import { TokenBuckets } from "../../web/guard/token-bucket.ts";
import { HttpException, messageOf } from "../../web/http-error.ts";
import type { Module, Services } from "../module.ts";
import { browserReports } from "./intake/browser-report.ts";
import { describePolicyReport, type PolicyReport, policyReports } from "./intake/policy-report.ts";
import { type Arrival, reportEntry, type Reported } from "./intake/report-entry.ts";
import { registerErrorPages } from "./viewer.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
const KEYS = 10_000;

export const errorsModule: Module = {
  name: "errors",
  about: "Takes in what browsers report and keeps the error log.",
  tables: ["error_entry", "error_group", "error_hour", "error_drop", "error_size"],
  uses: [],
  jobs: ["prunes and groups entries every minute", "tells the webhook, if one is set, every two seconds"],
  async register(app, services) {
    registerErrorPages(app, services);
    await app.register(async (scope) => addIntakes(scope, services));
  },
};

/** In a scope of their own, because they parse bodies and answer refusals in their own way. */
function addIntakes(scope: FastifyInstance, services: Services): void {
  addReportParser(scope);
  scope.setErrorHandler(answerRefusal);
  const allow = limiter(services);
  addIntake(scope, services, { ...LOG_INTAKE, allow });
  addIntake(scope, services, { ...POLICY_INTAKE, allow });
}

/** How one intake reads a body and makes entries of it. */
type Intake<Report> = {
  url: string;
  about: string;
  types: readonly string[];
  most: number;
  schema: z.ZodType<Report[]>;
  describe(report: Report, arrival: Arrival): ErrorOutline;
  /** The rule that leaves a report out of the log. */
  rule(report: Report, request: FastifyRequest, values: Config["values"]): string | undefined;
};

const LOG_INTAKE = {
  url: "/_errors/log",
  about: "records an error that a browser reports",
  types: ["application/json", "text/plain"],
  most: 10,
  schema: browserReports,
  describe: (report: Reported, arrival: Arrival) => reportEntry("js", report, arrival),
  rule: () => undefined,
};

const POLICY_INTAKE = {
  url: "/_errors/csp",
  about: "records a content security policy report",
  types: ["application/csp-report", "application/reports+json", "application/json"],
  most: 50,
  schema: policyReports,
  describe: describePolicyReport,
  rule: (report: PolicyReport, { hostname }: FastifyRequest, { IGNORE_CSP_REPORTS: noises, PUBLIC_URL }: Config["values"]) =>
    ruleReport(report, { noises, host: PUBLIC_URL?.hostname ?? hostname }),
};

/** Takes on so many more of the `reports` of a request; one until they are counted. */
type Allow = (request: FastifyRequest, more: number, reports: number) => void;

function addIntake<Report>(
  app: FastifyInstance,
  { errors, clock, config: { values } }: Services,
  intake: Intake<Report> & { allow: Allow },
): void {
  const config = { about: intake.about, access: "open", token: "none" } as const;
  app.post(intake.url, { config, bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    intake.allow(request, 1, 1);
    const reports = readReports(request, intake);
    if (reports.length > 1) intake.allow(request, reports.length - 1, reports.length);
    const arrival = { seen: seeRequest(request), at: clock.now() };
    for (const report of reports) {
      const rule = intake.rule(report, request, values);
      if (rule === undefined) errors.add(() => intake.describe(report, arrival), arrival.at);
      else errors.drop(rule);
    }
    return reply.code(204).send();
  });
}

/** Generous for people and for a site with a fault on each page, and a limit for who would fill the disk. */
function limiter({ clock, errors }: Services): Allow {
  const each = new TokenBuckets({ burst: 300, perSecond: 10 }, KEYS);
  const all = new TokenBuckets({ burst: 3_000, perSecond: 100 }, 1);
  return (request, more, reports) => {
    const now = clock.now();
    const seconds = each.take(networkOf(request.ip ?? ""), more, now) || all.take("", more, now);
    if (seconds === 0) return;
    errors.drop(TOO_MANY_REPORTS, reports);
    throw new RetryLater(seconds);
  };
}

/** More reports than an address, or all together, may send. */
class RetryLater extends HttpException {
  readonly seconds: number;

  constructor(seconds: number) {
    super(429, `Too many reports; try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

/** Bodies reach the intakes as text, whatever type they claim, so that a refusal can say what is wrong. */
function addReportParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => done(null, body));
}

function readReports<Report>(request: FastifyRequest, { types, schema, most }: Intake<Report>): Report[] {
  const sent = readJson(request, types);
  if (Array.isArray(sent) && sent.length === 0) throw new HttpException(400, "The list of reports is empty");
  if (Array.isArray(sent) && sent.length > most) throw new HttpException(413, `At most ${most} reports at once, not ${sent.length}`);
  const read = schema.safeParse(sent);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.slice(Array.isArray(sent) ? 0 : 1).join(".") || "the report";
  throw new HttpException(400, `Not a report: ${where}: ${issue?.message}`);
}

function readJson(request: FastifyRequest, types: readonly string[]): unknown {
  if (typeof request.body !== "string" || request.body.trim() === "")
    throw new HttpException(400, "The body is empty; a report is expected");
  const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() ?? "";
  if (!types.includes(type)) throw new HttpException(415, `The content type must be one of ${types.join(", ")}, not '${type}'`);
  try {
    return JSON.parse(request.body.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new HttpException(400, `The body is not JSON: ${messageOf(error)}`);
  }
}

/** Refusals are answered and not recorded, or the log would fill with what it refuses. Our own faults go the common way. */
async function answerRefusal(thrown: FastifyError | HttpException, _request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const status = thrown.statusCode ?? 500;
  if (status >= 500) throw thrown;
  if (thrown instanceof RetryLater) reply.header("retry-after", thrown.seconds);
  const message =
    status === 413 && !(thrown instanceof HttpException) ? `The body is larger than ${BODY_LIMIT_BYTES} bytes` : thrown.message;
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(`${JSON.stringify({ error: { status, message } })}\n`);
}
