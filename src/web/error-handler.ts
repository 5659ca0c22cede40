import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorPage, errorXml } from "./error-page.ts";
import type { ErrorRecorder, ErrorReference } from "./error-recorder.ts";
import { filesOf, readTypedFields } from "./form.ts";
import { AccessException } from "./guard/access-exception.ts";
import { formToken, InvalidTokenException } from "./guard/csrf.ts";
import { classOf, HttpException, messageOf, NotFoundException, statusOf } from "./http-error.ts";
import { preferredFormat } from "./negotiate.ts";
import { sendPage } from "./page.ts";
import { amount } from "./parts/amount.ts";
import type { FieldWords } from "./parts/field-words.ts";

const RETRY_AFTER_SECONDS = 30;

/** Ends an unknown path before its body is read or any question of access is asked. Goes before every other hook but the headers. */
export function addNotFound(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => done(request.is404 ? notFound(request) : undefined));
  app.setNotFoundHandler((request) => {
    throw notFound(request);
  });
}

/** Records what was thrown, then answers it as page, JSON or XML. `tellOutage` has words for a fault that may be gone in a while. */
export function addErrorHandler(app: FastifyInstance, errors: ErrorRecorder, tellOutage: (error: unknown) => string | undefined): void {
  // No promise is given back: Fastify would listen for the end of each answer, a twentieth of an unknown path.
  app.setErrorHandler((thrown, request, reply) => {
    if (!isUnread(thrown, reply)) void respond(thrown, request, reply).catch((fault: unknown) => reply.send(asError(fault)));
  });

  async function respond(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const error = thrown instanceof Error ? translate(thrown as FastifyError, request) : thrown;
    const outage = tellOutage(error);
    const status = outage === undefined ? statusOf(error) : 503;
    if (status >= 500) request.log.error({ reqId: request.id, err: thrown });
    const reference = error instanceof AccessException ? { id: undefined } : await errors.record(error, request, status);
    if (reply.sent) return;
    if (error instanceof AccessException) addAccessHeaders(error, reply);
    if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    await answer(error, { request, reply, status, reference, outage });
  }
}

/** Anything else would be sent as an answer. */
function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error("An error could not be answered", { cause: fault });
}

/** The client left while its answer was sent: nothing of ours went wrong. */
function isUnread(thrown: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && thrown instanceof Error && "code" in thrown && thrown.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Frames of the trace of an unknown path; further out there is only the router. */
const FRAMES = 2;
/** Every unknown path is met at this one place. To take the same frames anew costs a quarter of the whole record. */
let framesHere: string | undefined;

function notFound(request: FastifyRequest): NotFoundException {
  const [path] = request.originalUrl.split("?", 1);
  const message = `Route '${request.method} ${path}' not found`;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesHere === undefined ? FRAMES : 0;
  const error = new NotFoundException(message);
  Error.stackTraceLimit = stackTraceLimit;
  framesHere ??= error.stack?.slice(error.stack.indexOf(message) + message.length) ?? "";
  error.stack = `${error.name}: ${message}${framesHere}`;
  return error;
}

/** What Fastify itself refuses, in our words; everything else stays what it is. */
function translate(error: FastifyError, request: FastifyRequest): Error {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new HttpException(413, `The body is larger than the ${amount(request.routeOptions.bodyLimit)} bytes allowed`);
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new HttpException(
      415,
      `The content type '${request.headers["content-type"] ?? ""}' is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
    );
  }
  if (error.code === "ECONNRESET" && request.raw.aborted) return new HttpException(400, "The connection ended before the body was whole");
  const isFastify = typeof error.code === "string" && error.code.startsWith("FST_") && (error.statusCode ?? 500) < 500;
  return isFastify ? new HttpException(error.statusCode!, error.message) : error;
}

function addAccessHeaders(error: AccessException, reply: FastifyReply): void {
  if (error.statusCode === 401) reply.header("www-authenticate", 'Basic realm="Roomrack", charset="UTF-8"');
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
}

type Context = { request: FastifyRequest; reply: FastifyReply; status: number; reference: ErrorReference; outage: string | undefined };

/** A client's fault is shown with its message; one of ours only with the entry's id, never a stack. A refusal has the code 0, as in the log. */
async function answer(error: unknown, { request, reply, status, reference, outage }: Context): Promise<void> {
  const message = status < 500 ? messageOf(error) : outage;
  const shown = { status, class: classOf(error), message, id: reference.id, requestId: request.id };
  reply.code(status).header("cache-control", "no-store");
  const format = preferredFormat(request);
  if (format === "json") {
    const told = { ...shown, ...(status < 500 && { code: 0 }) };
    return void reply.type("application/json; charset=utf-8").send(`${JSON.stringify({ error: told })}\n`);
  }
  if (format === "xml") return void reply.type("application/xml; charset=utf-8").send(errorXml(shown));
  const again = error instanceof InvalidTokenException ? await formAgain(error, reply) : undefined;
  sendPage(reply, errorPage(shown, request.url, again));
}

const NO_WORDS: FieldWords = { labels: {}, choices: {} };

/**
 * What was typed, to be sent again. A form of another site gets no token: whoever sends it again is asked once more, by a page of our own. Nor
 * a session: as the cookie did not come with it, a new one would end the one that there is.
 */
async function formAgain({ sender }: InvalidTokenException, reply: FastifyReply) {
  const { body, routeOptions } = reply.request;
  const { words = NO_WORDS } = routeOptions.config;
  const files = filesOf(body ?? {});
  const typed = readTypedFields(body).filter(([name]) => !files.includes(name));
  return { typed, files, token: sender === "own" ? await formToken(reply) : "", words, sender };
}
