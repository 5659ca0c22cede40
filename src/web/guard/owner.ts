import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const OWNER_COOKIE = "browser-id";
const COOKIE_LIFETIME_SECONDS = 31_536_000;

/**
 * Returns the owner of data that the request saves: the user, or the browser while access is open. Returns undefined if the browser has
 * saved nothing yet. Proxy users and named users are different owners, even with the same name.
 */
export function findOwner({ user, cookies }: FastifyRequest): string | undefined {
  if (user === undefined) return undefined;
  if (user.kind !== "open") return `${user.kind}:${user.name}`;
  const id = cookies[OWNER_COOKIE];
  return id !== undefined && UUID_PATTERN.test(id) ? `browser:${id}` : undefined;
}

const UUID_PATTERN = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Like `findOwner`, but assigns the browser an ID if it has none. */
export function requireOwner(reply: FastifyReply): string {
  const { request } = reply;
  const owner = findOwner(request);
  if (owner !== undefined) return owner;
  const id = randomUUID();
  reply.setCookie(OWNER_COOKIE, id, {
    path: request.shell.prefix || "/",
    maxAge: COOKIE_LIFETIME_SECONDS,
    sameSite: "lax",
    httpOnly: true,
  });
  return `browser:${id}`;
}
