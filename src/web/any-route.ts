import type { IncomingMessage, ServerResponse as Response } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { METHODS, ServerResponse } from "./node-http.ts";
import type { FieldWords } from "./parts/field-words.ts";

/** `acting`: only a POST whose form names an `action`; `none`: machines post here with credentials of their own. */
export type TokenRule = "always" | "acting" | "none";

/** `open`: everyone; `sender`: the channel's own credentials; `viewer`: who signed in; `admin`: administrators. */
export type Access = "open" | "sender" | "viewer" | "admin";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route is for, shown at `/tools/routes`. */
    about?: string;
    /** Who may come here; viewers when absent. Only administrators act, whatever it says. */
    access?: Access;
    /** Which POSTs need a form token; `always` when absent. */
    token?: TokenRule;
    /** The name of the module that registered the route. */
    module?: string;
    /** What people call the fields that are posted here. */
    words?: FieldWords;
  }
}

/** Every method that Node parses. */
export const ALL_METHODS = METHODS;

/** Methods that come without a body that anyone would read. */
const BODILESS = ["GET", "HEAD", "TRACE", "CONNECT"];

/** Ends the connection of a CONNECT that was silent for so long. */
const CONNECT_LIMIT_MS = 5_000;

/** Makes every method that Node parses one that routes can be registered for. Node leaves the connection of a CONNECT to its listener. */
export function addAllMethods(app: FastifyInstance): void {
  const missing = ALL_METHODS.filter((method) => !app.supportedMethods.includes(method));
  for (const method of missing) app.addHttpMethod(method, { hasBody: !BODILESS.includes(method) });
  app.server.on("connect", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    const response = new ServerResponse(request);
    if (!takeSocket(response, socket)) return void socket.destroy();
    response.on("finish", () => socket.destroySoon());
    socket.setTimeout(CONNECT_LIMIT_MS, () => socket.destroy());
    app.server.emit("request", request, response);
  });
}

/** Whether the connection is free: Node throws where it still waits for the answer to an earlier request. */
function takeSocket(response: Response, socket: Socket): boolean {
  try {
    response.assignSocket(socket);
    return true;
  } catch {
    return false;
  }
}

/** `bodyLimit` in bytes, where it is not the usual one of forms. */
type AnyRoute = { url: string; about: string; words?: FieldWords; access?: Access; bodyLimit?: number };
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Registers `url` for every method. Only a POST whose form names an `action` acts, and needs the form token: see `actionOf`.
 */
export function anyRoute(app: FastifyInstance, { url, bodyLimit, ...said }: AnyRoute, handler: Handler): void {
  const method = ALL_METHODS as HTTPMethods[];
  app.route({ method, url, ...(bodyLimit && { bodyLimit }), config: { ...said, token: "acting" }, onRequest: typeEmptyBody, handler });
}

/**
 * A body that is announced as empty is an empty form, whatever type it claims. Fastify also refuses a QUERY without a type (RFC 10008);
 * here it gets the page.
 */
function typeEmptyBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { "content-type": type, "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  const wrong = type === undefined ? request.method === "QUERY" : length === "0" && coding === undefined;
  if (wrong) request.headers = { "content-type": "application/x-www-form-urlencoded" };
  done();
}

/** The `action` that a posted form asks for; undefined for every other request. */
export function actionOf(request: FastifyRequest): string | undefined {
  if (request.method !== "POST" || typeof request.body !== "object" || request.body === null) return undefined;
  const { action } = request.body as Record<string, unknown>;
  return typeof action === "string" && action !== "" ? action : undefined;
}

/** Whether a request is to change something and needs a form token: a POST; on a route for every method, one that names an action. */
export function isActing(request: FastifyRequest): boolean {
  if (request.method !== "POST") return false;
  const { token = "always" } = request.routeOptions.config;
  return token === "always" || (token === "acting" && actionOf(request) !== undefined);
}
