import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorPage, errorXml, type ResubmissionForm, type ShownError } from "./error-page.ts";
import { fileFieldNames, readTypedFields } from "./form.ts";
import { formToken, InvalidTokenException } from "./guard/csrf.ts";
import { isByToken, isRole } from "./guard/user.ts";
import { AccessException, errorClass, HttpException, errorMessage, NotFoundException, errorStatus } from "./http-error.ts";
import { preferredFormat } from "./negotiate.ts";
import { sendPage } from "./page.ts";
import { formatNumber } from "./parts/amount.ts";
import { sendProblem } from "./problem.ts";
import { signInPage } from "./sign-in-page.ts";

const RETRY_AFTER_SECONDS = 30;

/** A temporary failure, such as a database that does not respond. */
export type DatabaseOutage = { message: string; retryAfterSeconds: number };

/** Records errors in the error log. Never throws and never makes the request fail. */
export type ErrorRecorder = {
  record(error: unknown, request: FastifyRequest | undefined, status?: number): Promise<ErrorReference>;
};

/** `id` is undefined while the entry is in the spool file, and for statuses below 500, because such responses don't wait for the entry. */
export type ErrorReference = { id: number | undefined };

/** Rejects unknown paths before reading the body and checking access. */
export function addNotFound(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => done(request.is404 ? notFound(request) : undefined));
  app.setNotFoundHandler((request) => {
    throw notFound(request);
  });
}

/** Records errors and sends them as a page, JSON or XML. `describeOutage` returns undefined for all other errors. */
export function addErrorHandler(
  app: FastifyInstance,
  errors: ErrorRecorder,
  describeOutage: (error: unknown) => DatabaseOutage | undefined,
): void {
  // Must not return a promise: Fastify would wait for the end of each response, which slows down responses to unknown paths by 5%.
  app.setErrorHandler((thrown, request, reply) => {
    if (!isClientGone(thrown, reply)) void respondWithError(thrown, request, reply).catch((error: unknown) => reply.send(asError(error)));
  });

  async function respondWithError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const error = thrown instanceof Error ? translateError(thrown as FastifyError, request) : thrown;
    const outage = describeOutage(error);
    const status = outage === undefined ? errorStatus(error) : 503;
    if (status >= 500) request.log.error({ reqId: request.id, err: thrown });
    const { id } = error instanceof AccessException ? { id: undefined } : await errors.record(error, request, status);
    if (reply.sent) return;
    if (error instanceof AccessException) addAccessHeaders(error, request, reply);
    if (status === 503) reply.header("retry-after", outage?.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
    const reloadsAfter = request.method === "GET" ? outage?.retryAfterSeconds : undefined;
    await sendError(error, reply.code(status), { id, message: status < 500 ? errorMessage(error) : outage?.message, reloadsAfter });
  }
}

/** Wraps other thrown values, because Fastify sends them as normal responses. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("The error handler failed", { cause: thrown });
}

function isClientGone(thrown: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && thrown instanceof Error && "code" in thrown && thrown.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Number of frames to keep in the trace for an unknown path. The rest is the router. */
const MAX_LOGGED_FRAMES = 2;
/** Cached, because the frames never change, and capturing them accounts for 25% of the time that recording an unknown path takes. */
let notFoundFrames: string | undefined;

function notFound(request: FastifyRequest): NotFoundException {
  const [path] = request.originalUrl.split("?", 1);
  const message = `Route '${request.method} ${path}' not found`;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = notFoundFrames === undefined ? MAX_LOGGED_FRAMES : 0;
  const error = new NotFoundException(message);
  Error.stackTraceLimit = stackTraceLimit;
  notFoundFrames ??= error.stack?.slice(error.stack.indexOf(message) + message.length) ?? "";
  error.stack = `${error.name}: ${message}${notFoundFrames}`;
  return error;
}

function translateError(error: FastifyError, request: FastifyRequest): Error {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new HttpException(413, `The body exceeds the limit of ${byteLimit(request.routeOptions.bodyLimit)}`);
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new HttpException(
      415,
      `The content type '${request.headers["content-type"] ?? ""}' is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
    );
  }
  if (error.code === "ECONNRESET" && request.raw.aborted)
    return new HttpException(400, "The connection closed before the whole body arrived");
  const isFastify = typeof error.code === "string" && error.code.startsWith("FST_") && (error.statusCode ?? 500) < 500;
  return isFastify ? new HttpException(error.statusCode!, error.message) : error;
}

function byteLimit(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes > 1 && Number.isInteger(megabytes) ? `${megabytes} MB` : `${formatNumber(bytes)} bytes`;
}

/** Sends browsers a form instead of a challenge, which would open the browser's own dialog. */
function addAccessHeaders(error: AccessException, request: FastifyRequest, reply: FastifyReply): void {
  if (error.statusCode === 401 && !isBrowser(request)) reply.header("www-authenticate", 'Basic realm="Roomrack", charset="UTF-8"');
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return headers["sec-fetch-mode"] !== undefined || (headers.accept ?? "").includes("text/html");
}

/** Shows the message only for client errors. Other errors show only the log entry's ID, never a stack. In JSON, refusals have code 0. */
async function sendError(error: unknown, reply: FastifyReply, shown: Pick<ShownError, "id" | "message" | "reloadsAfter">) {
  const { request, statusCode: status } = reply;
  const errorJson = { status, class: errorClass(error), message: shown.message, id: shown.id, requestId: request.id };
  if (wantsProblemJson(request)) return void sendProblem(reply, { status, detail: shown.message, id: shown.id, requestId: request.id });
  reply.header("cache-control", "no-store");
  const format = preferredFormat(request);
  if (format === "json") {
    const body = { error: { ...errorJson, ...(status < 500 && { code: 0 }) } };
    return void reply.type("application/json; charset=utf-8").send(`${JSON.stringify(body)}\n`);
  }
  if (format === "xml") {
    const hint =
      error instanceof NotFoundException && request.is404 ? `${shown.message}; messages are received at /channel` : shown.message;
    return void reply.type("application/xml; charset=utf-8").send(errorXml({ ...errorJson, message: hint }));
  }
  const signInToken = isSignInError(error) && request.user === undefined ? reply.signInToken() : undefined;
  if (signInToken !== undefined)
    return void sendPage(
      reply,
      signInPage({ token: signInToken, message: errorMessage(error), request, status, singleSignOn: reply.singleSignOn() }),
    );
  const refusedForm = error instanceof InvalidTokenException ? await buildResubmission(error, reply) : undefined;
  if (shown.reloadsAfter !== undefined) reply.header("refresh", shown.reloadsAfter);
  sendPage(reply, errorPage({ ...errorJson, reloadsAfter: shown.reloadsAfter }, request.url, refusedForm));
}

/**
 * Returns whether errors are sent as problem details: always on some routes, and on all others except those for senders if the request has a
 * token.
 */
function wantsProblemJson(request: FastifyRequest): boolean {
  const { access = "viewer", problems = false } = request.routeOptions.config;
  return problems || (isRole(access) && isByToken(request));
}

/** Returns whether the user must sign in, or failed to sign in. */
function isSignInError(error: unknown): boolean {
  return error instanceof AccessException && error.statusCode !== 403;
}

/**
 * Returns the submitted values, so that the form can be submitted again. A form from another site gets no token, so the user has to confirm
 * on one of our pages. It gets no session either: its request had no cookie, and a new session would replace the existing one.
 */
async function buildResubmission({ sender }: InvalidTokenException, reply: FastifyReply): Promise<ResubmissionForm> {
  const { body, routeOptions } = reply.request;
  const { words = { labels: {}, choices: {} } } = routeOptions.config;
  const files = fileFieldNames(body ?? {});
  const typed = readTypedFields(body).filter(([name]) => !files.includes(name));
  return { typed, files, token: sender === "own" ? await formToken(reply) : "", words, sender };
}
