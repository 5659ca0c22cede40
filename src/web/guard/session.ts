import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { onRequest, onSend } from "../hooks.ts";
import { type SignInEvents, signInSource } from "./sign-in-events.ts";
import type { Role, User } from "./user.ts";

const LAST_SEEN_INTERVAL_MS = 60_000;
const ID_BYTES = 32;
const ENCODED_ID_LENGTH = 43;
const MAX_AGENT_LENGTH = 200;

/**
 * `user` is the user the session was created for. `signedIn` means that the sign-in form created it, so its cookie is sufficient; `tag` is
 * the start of the hash of the shared password, and `passwordAt` is when the user's own password was set.
 */
export type SessionData = {
  csrf: string;
  user: string;
  flash?: string;
  signedIn?: { kind: "person"; passwordAt?: number | undefined } | { kind: "shared"; role: Role; tag: string };
};

export type FoundSession = {
  data: SessionData;
  createdAt: number;
  seenAt: number;
  /** The named user who signed in, or "gone" if the user was disabled or deleted, or the session's password has changed. */
  person: { name: string; role: Role } | "gone" | undefined;
};

/** `person` is the name of a user who signed in with the form, including `admin` and `viewer` with a shared password. */
export type NewSession = { data: SessionData; person?: string | undefined; address?: string | undefined; agent?: string | undefined };

export type SessionStore = {
  find(idHash: string): Promise<FoundSession | undefined>;
  create(idHash: string, session: NewSession, now: number): Promise<void>;
  /** Without `data`, stores only the time, so that data stored by other requests isn't overwritten. */
  update(session: Session, data: SessionData | undefined, now: number): Promise<void>;
  remove(idHash: string): Promise<void>;
};

export class Session {
  readonly idHash: string;
  readonly data: SessionData;
  readonly person: { name: string; role: Role } | undefined;
  changed = false;
  seen = false;

  constructor(idHash: string, data: SessionData, person?: { name: string; role: Role }) {
    this.idHash = idHash;
    this.data = data;
    this.person = person;
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
    /** Rereads the session, which may have ended since the request started. */
    refreshSession(): Promise<void>;
  }
  interface FastifyReply {
    openSession(): Promise<Session>;
    /** Starts a new session for `user`, who signed in with the form. */
    signIn(user: User, tag?: string): Promise<void>;
    endSession(): Promise<void>;
    /** Ends the session if it belongs to a user other than `request.user`. The request then has no session. */
    endOtherSession(): Promise<void> | undefined;
  }
}

export type CookieScope = { https: boolean; prefix: string };

/**
 * Returns a cookie's name and options. A `__Host-` cookie needs TLS and the path `/`. Browsers reject it over plain HTTP, even on
 * localhost.
 */
export function cookieSettings(name: string, { https, prefix }: CookieScope): { name: string; path: string } {
  if (https) return { name: `__Host-${name}`, path: "/" };
  return { name, path: prefix === "" ? "/" : prefix };
}

export type SessionLimits = { idleMs: number; lifetimeMs: number };

type SessionOptions = CookieScope & {
  store: SessionStore;
  clock: Clock;
  secret: () => string;
  limits: SessionLimits;
  events: SignInEvents;
};

export function addSessions(app: FastifyInstance, options: SessionOptions): void {
  const sessions = new SessionManager(options);
  app.decorateRequest("session", undefined);
  app.decorateRequest("refreshSession", async function refreshSession(this: FastifyRequest) {
    this.session = undefined;
    await sessions.find(this);
  });
  app.decorateReply("openSession", async function openSession(this: FastifyReply) {
    return (this.request.session ??= await sessions.create(this, { user: userIdentity(this.request.user) }));
  });
  app.decorateReply("signIn", async function signIn(this: FastifyReply, user: User, tag = "") {
    await this.endSession();
    const signedInData: SessionData["signedIn"] =
      user.kind === "shared" ? { kind: "shared", role: user.role, tag } : { kind: "person", passwordAt: user.passwordAt };
    this.request.session = await sessions.create(this, { user: userIdentity(user), signedIn: signedInData }, user);
    await options.events.record({ action: "sign in", user }, signInSource(this.request));
  });
  app.decorateReply("endSession", async function endSession(this: FastifyReply) {
    await sessions.end(this);
  });
  app.decorateReply("endOtherSession", function endOtherSession(this: FastifyReply) {
    const { session, user } = this.request;
    if (session === undefined || session.data.user === userIdentity(user)) return undefined;
    this.request.session = undefined;
    return sessions.remove(this.request, session.idHash);
  });
  onRequest(app, (request) => sessions.find(request));
  onSend(app, (request, _reply, payload) => sessions.keep(request)?.then(() => payload) ?? payload);
}

class SessionManager {
  readonly #options: SessionOptions;
  readonly #cookie: { name: string; path: string };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#cookie = cookieSettings("sid", options);
  }

  find(request: FastifyRequest): Promise<void> | undefined {
    const id = request.cookies[this.#cookie.name];
    return id?.length === ENCODED_ID_LENGTH ? this.#find(request, this.#hash(id)) : undefined;
  }

  async #find(request: FastifyRequest, idHash: string): Promise<void> {
    const storedSession = await this.#options.store.find(idHash);
    if (!storedSession) return;
    const { clock, limits } = this.#options;
    const now = clock.now();
    const age = now - storedSession.createdAt;
    // If a session was created while the clock was ahead, its age is unknown.
    const isExpired = now - storedSession.seenAt > limits.idleMs || age > limits.lifetimeMs || age < -limits.idleMs;
    if (isExpired || storedSession.person === "gone") return this.remove(request, idHash);
    request.session = new Session(idHash, storedSession.data, storedSession.person);
    request.session.seen = Math.abs(now - storedSession.seenAt) > LAST_SEEN_INTERVAL_MS;
  }

  async create(reply: FastifyReply, about: Omit<SessionData, "csrf">, user?: User): Promise<Session> {
    const { store, clock } = this.#options;
    const { ip: address, headers } = reply.request;
    const id = randomBytes(ID_BYTES).toString("base64url");
    const session = new Session(this.#hash(id), { csrf: randomBytes(32).toString("base64url"), ...about });
    const agent = headers["user-agent"]?.slice(0, MAX_AGENT_LENGTH);
    await store.create(session.idHash, { data: session.data, ...(user && { person: user.name, address, agent }) }, clock.now());
    reply.setCookie(this.#cookie.name, id, this.#cookieOptions());
    return session;
  }

  async end(reply: FastifyReply): Promise<void> {
    const { session } = reply.request;
    if (session === undefined) return;
    reply.request.session = undefined;
    await this.#options.store.remove(session.idHash);
    reply.clearCookie(this.#cookie.name, this.#cookieOptions());
  }

  remove({ id, log }: FastifyRequest, idHash: string): Promise<void> {
    const logError = (error: unknown) => log.error({ reqId: id, err: error }, "the session was not removed");
    return this.#options.store.remove(idHash).catch(logError);
  }

  /** Stores the session's changes. Never rejects, because pages must work while the database is read-only. */
  keep({ id, session, log }: FastifyRequest): Promise<void> | undefined {
    if (!session?.changed && !session?.seen) return undefined;
    const { store, clock } = this.#options;
    const logError = (error: unknown) => log.error({ reqId: id, err: error }, "the session was not stored");
    return store.update(session, session.changed ? session.data : undefined, clock.now()).catch(logError);
  }

  #hash(id: string): string {
    return createHmac("sha256", this.#options.secret()).update(id).digest("base64url");
  }

  /** Also used to clear the cookie, because browsers ignore a `__Host-` cookie without `Secure`, even one that clears it. */
  #cookieOptions() {
    return { httpOnly: true, sameSite: "lax", secure: this.#options.https, path: this.#cookie.path } as const;
  }
}

/** Returns the identity that a session belongs to. A named user keeps the session if the role changes. */
function userIdentity(user: User | undefined): string {
  if (user === undefined) return "nobody";
  return user.kind === "person" ? `person ${user.name}` : `${user.role} ${user.name}`;
}
