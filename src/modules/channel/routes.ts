import type { IncomingMessage, Server } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { signInAudit } from "../../access/sign-in-audit.ts";
import type { Config } from "../../config.ts";
import { ALL_METHODS } from "../../web/any-route.ts";
import type { CacheRegistry } from "../../web/caches.ts";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import { sendJson } from "../../web/json.ts";
import { sendPage } from "../../web/page.ts";
import { type Module } from "../module.ts";
import { failureRecorder, publicEndpointUrl } from "./endpoint.ts";
import { bodyLimits, MAX_BODY_BYTES } from "./limits.ts";
import { messages, publishedMessages } from "./messages/index.ts";
import { valuesSchema } from "./messages/json-values/schema.ts";
import { usagePage } from "./pages.ts";
import { type ArrivingRequest, receiveRequest, type ReceiveDeps } from "./receive.ts";
import { senderAccess } from "./senders/access.ts";
import { SenderRate, SenderSlots } from "./senders/quotas.ts";
import { type ChannelDeps } from "./traffic.ts";
import { BodyReader } from "./transports/body.ts";

const CHANNEL_DESCRIPTION = "receives OpenTravel messages; GET shows how to send them";

const PAGE_METHODS: string[] = ["GET", "HEAD"];

type ChannelRouteDeps = Pick<ChannelDeps, "database" | "clock" | "traffic"> & {
  config: Config;
  caches: CacheRegistry;
  errors: ErrorRecorder;
};

export const channelModule: Module<ChannelRouteDeps> = {
  name: "channel",
  about: "Receives availability, rates and inventory from property systems and channel managers.",
  tables: ["sender", "sender_code", "sender_nonce"],
  uses: [],
  register(app, services) {
    disableBodyParsing(app);
    answerExpectations(app.server);
    const answer = createResponder(services, app.log);
    answerWithoutType(app, answer);
    app.route({
      method: ALL_METHODS,
      url: "/channel",
      config: { about: CHANNEL_DESCRIPTION, access: "sender", token: "none" },
      handler: (request, reply) =>
        PAGE_METHODS.includes(request.method)
          ? sendPage(reply, usagePage(publishedMessages, publicEndpointUrl(services, request)))
          : handleRequest(request, reply, answer),
    });
    // Allows only GET, because a response to a POST would look as if the message had been accepted.
    app.route({
      method: PAGE_METHODS,
      url: "/channel/schema.json",
      config: { about: "JSON Schema for JSON messages", access: "sender", token: "none" },
      handler: (_request, reply) => sendJson(reply, valuesSchema()),
    });
  },
};

type RespondToMessage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function handleRequest(request: FastifyRequest, reply: FastifyReply, answer: RespondToMessage): FastifyReply | Promise<FastifyReply> {
  if (request.method === "OPTIONS") return reply.code(204).header("allow", ALL_METHODS.join(", ")).send();
  return answer(request, reply);
}

/** Stops the framework from reading bodies. The handler reads their bytes, regardless of the content type. */
function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
}

/** Also handles bodies without a valid content type, because the format can be recognised from the content. */
function answerWithoutType(app: FastifyInstance, answer: RespondToMessage): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { code } = error as { code?: string };
    if (code === undefined || !CONTENT_TYPE_ERRORS.has(code)) throw error;
    return handleRequest(request, reply, answer);
  });
}

const CONTENT_TYPE_ERRORS: ReadonlySet<string> = new Set(["FST_ERR_CTP_INVALID_MEDIA_TYPE", "FST_ERR_ROUTE_MISSING_CONTENT_TYPE"]);

function createResponder(
  { config, database, clock, traffic, caches, errors }: ChannelRouteDeps,
  log: FastifyInstance["log"],
): RespondToMessage {
  const events = signInAudit({ database, clock, log });
  const access = senderAccess({ database, clock, events, digestMinutes: config.values.CHANNEL_DIGEST_MINUTES }, log);
  for (const cache of access.caches) caches.add(cache);
  const bodies = new BodyReader(bodyLimits(config.workers));
  const slots = new SenderSlots(Math.ceil(config.values.CHANNEL_PLACES_PER_SENDER / config.workers));
  const { CHANNEL_MESSAGES_PER_MINUTE: messagesPerMinute, CHANNEL_MEGABYTES_PER_MINUTE: megabytes } = config.values;
  const rate = new SenderRate({ messages: messagesPerMinute, megabytes }, config.workers);
  return async (request, reply) => {
    const deps: ReceiveDeps = { database, clock, messages, traffic, access, slots, rate, recordError: failureRecorder(errors, request) };
    const body = bodies.open(request.raw, declaredBytes(request));
    const { status, headers, body: answer } = await receiveRequest(deps, toArrival(request, body));
    body.discardRest(reply.raw);
    return reply.code(status).headers(headers).header("cache-control", "no-store").send(answer);
  };
}

function toArrival(request: FastifyRequest, body: ArrivingRequest["body"]): ArrivingRequest {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { headers, body, remote: request.ip, open: request.openAccess };
}

function declaredBytes({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"]) || 0;
}

/** Tells clients that send `Expect: 100-continue` to continue, unless the body is too large. */
function answerExpectations(server: Server): void {
  server.on("checkContinue", (request, response) => {
    if (declaredBytes(request) <= MAX_BODY_BYTES) response.writeContinue();
    server.emit("request", request, response);
  });
}
