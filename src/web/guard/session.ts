import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { onRequest, onSend } from "../hooks.ts";
import { type CookiePlace, cookieOf } from "./cookie.ts";

/** A session that was not used for this long is over. */
export const IDLE_MS = 8 * 3_600_000;
const LIFETIME_MS = 7 * 24 * 3_600_000;
const SEEN_EVERY_MS = 60_000;
const ID_BYTES = 32;
/** In base64url. */
const ID_LENGTH = 43;

/** What is kept between the requests of one browser; `user` is whose session it is. */
export type SessionData = { csrf: string; user: string; flash?: string };

/** Where sessions are kept; ids arrive hashed. */
export type SessionStore = {
  find(idHash: string): Promise<{ data: SessionData; createdAt: number; seenAt: number } | undefined>;
  create(idHash: string, data: SessionData, now: number): Promise<void>;
  /** Without `data` it was only seen again; what another request has stored meanwhile stays. */
  update(idHash: string, data: SessionData | undefined, now: number): Promise<void>;
  remove(idHash: string): Promise<void>;
};

/** The session of a request. */
export class Session {
  readonly idHash: string;
  readonly data: SessionData;
  /** Whether the data is to be stored, and whether when it was seen. */
  changed = false;
  seen = false;

  constructor(idHash: string, data: SessionData) {
    this.idHash = idHash;
    this.data = data;
  }

  /** Keeps a sentence for the next page. */
  setFlash(text: string): void {
    this.data.flash = text;
    this.changed = true;
  }

  /** The sentence kept for this page, once. */
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
    /** Undefined until a form was rendered for this browser. */
    session: Session | undefined;
  }
  interface FastifyReply {
    /** The session, made now if there is none. */
    openSession(): Promise<Session>;
  }
}

export type SessionOptions = CookiePlace & { store: SessionStore; clock: Clock; secret: string };

/** Finds the session of each request by its cookie, lazily made by `reply.openSession`, stored again when it changed. */
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

  /** A session that cannot be stored fails no answer: pages can be read while nothing can be written. */
  onSend(app, ({ id, session, log }, _reply, payload) => {
    if (!session?.changed && !session?.seen) return payload;
    const tell = (error: unknown) => log.error({ reqId: id, err: error }, "the session was not stored");
    const stored = store.update(session.idHash, session.changed ? session.data : undefined, clock.now()).catch(tell);
    return stored.then(() => payload);
  });

  async function find(request: FastifyRequest, id: string): Promise<void> {
    const idHash = hash(id);
    const found = await store.find(idHash);
    if (!found) return;
    const now = clock.now();
    const age = now - found.createdAt;
    // Of one that a clock far ahead made nobody knows how old it is.
    const over = now - found.seenAt > IDLE_MS || age > LIFETIME_MS || age < -IDLE_MS;
    if (over || isOfAnother(found.data, request)) return remove(request, idHash);
    request.session = new Session(idHash, found.data);
    request.session.seen = Math.abs(now - found.seenAt) > SEEN_EVERY_MS;
  }

  /** What cannot be removed is found again, and is as little of use. */
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

/** Whoever signs in as somebody else, or with another role, gets a session of their own. Where nobody is asked, nobody can tell. */
function isOfAnother({ user }: SessionData, request: FastifyRequest): boolean {
  return request.role !== undefined && user !== userOf(request);
}

function userOf({ role, actor }: FastifyRequest): string {
  return `${role ?? "nobody"} ${actor}`;
}
