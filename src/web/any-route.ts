import type { IncomingMessage, ServerResponse as Response } from "node:http";
import type { Socket } from "node:net";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { hasRole, type Role, type TokenAccess } from "./guard/user.ts";
import { METHODS, ServerResponse } from "./node-http.ts";
import type { FieldWords } from "./parts/field-words.ts";

/**
 * Which requests need a form token. `acting`: a POST whose form has an `action`. `visitor`: the same, but without sign-in. `none`: no
 * request, because clients authenticate in a different way.
 */
export type TokenRule = "always" | "acting" | "visitor" | "none";

/** Who may use a route: anyone (`open`), channel senders (`sender`), or users with at least this role. */
export type RouteAccess = "open" | "sender" | Role;

declare module "fastify" {
  interface FastifyContextConfig {
    about?: string;
    /** Default: `viewer`. */
    access?: RouteAccess;
    /** The role required to make changes. Default: `editor`. */
    acts?: Role;
    token?: TokenRule;
    /** The API token scopes that this route accepts. By default, it refuses tokens. */
    tokens?: TokenAccess;
    /** Whether the sign-in form posts to this route. If so, anyone may post to it. */
    signsIn?: boolean;
    module?: string;
    words?: FieldWords;
  }
}

export const ALL_METHODS = METHODS;

const BODILESS_METHODS = ["GET", "HEAD", "TRACE", "CONNECT"];
const CONNECT_TIMEOUT_MS = 5_000;

/** Allows all methods that Node parses. Node passes CONNECT requests as raw sockets, so they are emitted as normal requests. */
export function addAllMethods(app: FastifyInstance): void {
  const missingMethods = ALL_METHODS.filter((method) => !app.supportedMethods.includes(method));
  for (const method of missingMethods) app.addHttpMethod(method, { hasBody: !BODILESS_METHODS.includes(method) });
  app.server.on("connect", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    const response = new ServerResponse(request);
    if (!assignSocket(response, socket)) return void socket.destroy();
    response.on("finish", () => socket.destroySoon());
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy());
    app.server.emit("request", request, response);
  });
}

/** Assigns the connection to a response. Returns false if an earlier request on the connection is still in progress. */
function assignSocket(response: Response, socket: Socket): boolean {
  try {
    response.assignSocket(socket);
    return true;
  } catch {
    return false;
  }
}

type AnyRoute = Pick<FastifyContextConfig, "words" | "access" | "acts" | "token" | "tokens" | "signsIn" | "readsReplica"> & {
  url: string;
  about: string;
  bodyLimit?: number;
};
type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Registers `url` for every method. Only a POST with an `action` field changes anything and needs the form token. */
export function addAnyRoute(app: FastifyInstance, { url, bodyLimit, ...config }: AnyRoute, handler: RouteHandler): void {
  const method = ALL_METHODS as HTTPMethods[];
  app.route({ method, url, ...(bodyLimit && { bodyLimit }), config: { token: "acting", ...config }, onRequest: acceptEmptyBody, handler });
}

/** Treats an empty body as an empty form, regardless of its type. Fastify would otherwise refuse a QUERY without a type (RFC 10008). */
function acceptEmptyBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { "content-type": type, "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  const isEmpty = type === undefined ? request.method === "QUERY" : length === "0" && coding === undefined;
  if (isEmpty) request.headers = { "content-type": "application/x-www-form-urlencoded" };
  done();
}

export function actionOf(request: FastifyRequest): string | undefined {
  if (request.method !== "POST" || typeof request.body !== "object" || request.body === null) return undefined;
  const { action } = request.body as Record<string, unknown>;
  return typeof action === "string" && action !== "" ? action : undefined;
}

/** Returns whether the user's role allows changes here. */
export function mayAct({ role, routeOptions }: FastifyRequest): boolean {
  return role === undefined || hasRole(role, routeOptions.config.acts ?? "editor");
}

export function isActing(request: FastifyRequest): boolean {
  if (request.method !== "POST") return false;
  const { token = "always" } = request.routeOptions.config;
  return token === "always" || (token !== "none" && actionOf(request) !== undefined);
}
