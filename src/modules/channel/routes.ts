import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { ALL_METHODS } from "../../web/any-route.ts";
import type { Caches } from "../../web/caches.ts";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import type { Log } from "../../web/guard/sign-in-log.ts";
import { sendPage } from "../../web/page.ts";
import type { Module } from "../module.ts";
import { publicEndpointOf } from "./endpoint.ts";
import type { ChannelDeps } from "./exchange.ts";
import { bodyLimits } from "./limits.ts";
import { messages } from "./messages/index.ts";
import { usagePage } from "./pages.ts";
import { type Arrival, receiveRequest, type ReceiveDeps } from "./receive.ts";
import { failureRecorder } from "./record-failure.ts";
import { Places } from "./senders/places.ts";
import { senderAccess } from "./senders/verify.ts";
import { BodyIntake } from "./transports/body-intake.ts";
import { announcedBytes, answerExpectations } from "./transports/expectation.ts";

const ABOUT = "takes OpenTravel messages; GET shows how to send them";

const READING: readonly string[] = ["GET", "HEAD"];

type ChannelNeeds = Pick<ChannelDeps, "database" | "clock" | "traffic"> & { config: Config; caches: Caches; errors: ErrorRecorder };

export const channelModule: Module<ChannelNeeds> = {
  name: "channel",
  about: "Receives availability, rates and inventory from property systems and channel managers.",
  tables: ["sender"],
  uses: [],
  register(app, services) {
    leaveBodies(app);
    answerExpectations(app.server);
    const answer = channelAnswerer(services, app.log);
    answerUntyped(app, answer);
    app.route({
      method: ALL_METHODS,
      url: "/channel",
      config: { about: ABOUT, access: "sender", token: "none" },
      handler: (request, reply) =>
        READING.includes(request.method)
          ? sendPage(reply, usagePage(messages, publicEndpointOf(services, request)))
          : handle(request, reply, answer),
    });
  },
};

type AnswerMessage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function handle(request: FastifyRequest, reply: FastifyReply, answer: AnswerMessage): FastifyReply | Promise<FastifyReply> {
  if (request.method === "OPTIONS") return reply.code(204).header("allow", ALL_METHODS.join(", ")).send();
  return answer(request, reply);
}

/** The handler reads bodies as bytes, whatever type they claim; only this module does so. */
function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
}

/** A body with a broken type is read all the same, as its content tells what it is; other errors are thrown on. */
function answerUntyped(app: FastifyInstance, answer: AnswerMessage): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { code } = error as { code?: string };
    if (code === undefined || !UNTYPED.has(code)) throw error;
    return handle(request, reply, answer);
  });
}

/** The content type is no media type, or it is missing. */
const UNTYPED: ReadonlySet<string> = new Set(["FST_ERR_CTP_INVALID_MEDIA_TYPE", "FST_ERR_ROUTE_MISSING_CONTENT_TYPE"]);

function channelAnswerer({ config, database, clock, traffic, caches, errors }: ChannelNeeds, log: Log): AnswerMessage {
  const access = senderAccess(database, clock, log);
  for (const cache of access.caches) caches.add(cache);
  const bodies = new BodyIntake(bodyLimits(config.workers));
  const places = new Places(Math.ceil(config.values.CHANNEL_PLACES_PER_SENDER / config.workers));
  return async (request, reply) => {
    const deps: ReceiveDeps = { database, clock, messages, traffic, access, places, recordError: failureRecorder(errors, request) };
    const body = bodies.open(request.raw, announcedBytes(request));
    const { status, headers, body: answer } = await receiveRequest(deps, arrivalOf(request, body));
    body.discardRest(reply.raw);
    return reply.code(status).headers(headers).header("cache-control", "no-store").send(answer);
  };
}

function arrivalOf(request: FastifyRequest, body: Arrival["body"]): Arrival {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { headers, body, remote: request.ip, open: request.openAccess };
}
