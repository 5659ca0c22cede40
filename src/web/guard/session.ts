import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { onRequest, onSend } from "../hooks.ts";

export const IDLE_MS = 8 * 3_600_000;
const LIFETIME_MS = 7 * 24 * 3_600_000;
const SEEN_EVERY_MS = 60_000;
const ID_BYTES = 32;
const ID_LENGTH = 43;

export type SessionData = { csrf: string; user: string; flash?: string };

export type SessionStore = {
  find(idHash: string): Promise<{ data: SessionData; createdAt: number; seenAt: number } | undefined>;
  create(idHash: string, data: SessionData, now: number): Promise<void>;
  /** Without `data`, updates only the time, so that data stored by another request is kept. */
  update(idHash: string, data: SessionData | undefined, now: number): Promise<void>;
  remove(idHash: string): Promise<void>;
};

export class Session {
  readonly idHash: string;
  readonly data: SessionData;
  changed = false;
  seen = false;

  constructor(idHash: string, data: SessionData) {
    this.idHash = idHash;
    this.data = data;
  }

  setFlash(text: string): void {
    this.data.flash = text;
    this.changed = true;
  }

  takeFlash(): string | undefined {
    const { flash } = this.data;
    if (flash === undefined) return undefined;
    delete this.data.flash;
    this.changed = true;
    return flash;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined until a form is rendered for this browser. */
    session: Session | undefined;
  }
  interface FastifyReply {
    openSession(): Promise<Session>;
  }
}

export type CookieScope = { https: boolean; prefix: string };

/** A `__Host-` cookie needs TLS and the path `/`. Browsers reject it on plain HTTP, even on localhost. */
export function cookieOf(name: string, { https, prefix }: CookieScope): { name: string; path: string } {
  if (https) return { name: `__Host-${name}`, path: "/" };
  return { name, path: prefix === "" ? "/" : prefix };
}

type SessionOptions = CookieScope & { store: SessionStore; clock: Clock; secret: string };

export function addSessions(app: FastifyInstance, options: SessionOptions): void {
  const { store, clock, secret, https } = options;
  const cookie = cookieOf("sid", options);
  const hash = (id: string) => createHmac("sha256", secret).update(id).digest("base64url");
  app.decorateRequest("session", undefined);
  app.decorateReply("openSession", async function openSession(this: FastifyReply) {
    return (this.request.session ??= await create(this));
  });

  onRequest(app, (request) => {
    const id = request.cookies[cookie.name];
    return id?.length === ID_LENGTH ? find(request, id) : undefined;
  });

  /** Sends the response even if the session cannot be stored: pages must work while the database is read-only. */
  onSend(app, ({ id, session, log }, _reply, payload) => {
    if (!session?.changed && !session?.seen) return payload;
    const logError = (error: unknown) => log.error({ reqId: id, err: error }, "the session was not stored");
    const stored = store.update(session.idHash, session.changed ? session.data : undefined, clock.now()).catch(logError);
    return stored.then(() => payload);
  });

  async function find(request: FastifyRequest, id: string): Promise<void> {
    const idHash = hash(id);
    const found = await store.find(idHash);
    if (!found) return;
    const now = clock.now();
    const age = now - found.createdAt;
    // A session created by a fast clock has no reliable age.
    const isExpired = now - found.seenAt > IDLE_MS || age > LIFETIME_MS || age < -IDLE_MS;
    if (isExpired || isOfAnotherUser(found.data, request)) return remove(request, idHash);
    request.session = new Session(idHash, found.data);
    request.session.seen = Math.abs(now - found.seenAt) > SEEN_EVERY_MS;
  }

  function remove({ id, log }: FastifyRequest, idHash: string): Promise<void> {
    return store.remove(idHash).catch((error: unknown) => log.error({ reqId: id, err: error }, "the session was not removed"));
  }

  async function create(reply: FastifyReply): Promise<Session> {
    const id = randomBytes(ID_BYTES).toString("base64url");
    const session = new Session(hash(id), { csrf: randomBytes(32).toString("base64url"), user: userOf(reply.request) });
    await store.create(session.idHash, session.data, clock.now());
    reply.setCookie(cookie.name, id, { httpOnly: true, sameSite: "lax", secure: https, path: cookie.path });
    return session;
  }
}

/** Signing in as another user or role starts a new session. The user is unknown on routes without sign-in. */
function isOfAnotherUser({ user }: SessionData, request: FastifyRequest): boolean {
  return request.role !== undefined && user !== userOf(request);
}

function userOf({ role, actor }: FastifyRequest): string {
  return `${role ?? "anonymous"} ${actor}`;
}
