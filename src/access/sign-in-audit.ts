import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { AuditRow } from "../db/schema.ts";
import { type AuditEntry, createAudit } from "../records/audit.ts";
import { addressNetwork } from "../web/guard/backoff.ts";
import type { SignInEvent, SignInEvents, SignInSource } from "../web/guard/sign-in-events.ts";
import { failureStore } from "./failures.ts";
import { personName } from "./people.ts";
import { countRefusal, REFUSAL_KEYS } from "./refusal-limits.ts";

const HOUR_MS = 3_600_000;
const MAX_AGENT_LENGTH = 200;
const MAX_REMEMBERED_NAMES = 1_000;
const SHARED_NAMES = ["admin", "viewer"];

type SignInAuditOptions = { database: Database; clock: Clock; log: Pick<FastifyBaseLogger, "error"> };
type ActorKind = AuditRow["kind"];

/** Records a total of at most 100 refusals a minute and 10,000 a day across all processes, so that a flood can't fill the database. */
export function signInAudit({ database, clock, log }: SignInAuditOptions): SignInEvents {
  const limits = failureStore(database, clock, "audit");
  const recentSignIns = new LRUCache<string, number>({ max: MAX_REMEMBERED_NAMES });
  let fullUntil = 0;
  return {
    async record(event, source) {
      try {
        await ("user" in event ? recordSignIn(event, source) : recordRefusal(event, source));
      } catch (err) {
        log.error({ err }, "a sign-in was not recorded in the audit log");
      }
    },
  };

  async function recordSignIn({ action, user, onceIn }: SignIn, source: SignInSource): Promise<void> {
    const at = clock.now();
    const entry = {
      ...toOrigin(actorKind(user.kind), source),
      at,
      actor: user.name,
      action,
      subject: signInSubject(user.name),
      changes: [],
    };
    if (onceIn === undefined) return createAudit(database.write, entry);
    if (isDue(`${user.kind} ${user.name} ${source.address}`, at, onceIn)) await recordOnce(database, entry, at - onceIn);
  }

  async function recordRefusal({ action, kind, name }: RefusedSignIn, source: SignInSource): Promise<void> {
    const at = clock.now();
    if (isWithinLimit(fullUntil - at)) return;
    if (action === "locked out" && !isDue(`locked out ${addressNetwork(source.address)}`, at, HOUR_MS)) return;
    const { verdict, until } = await limits.change(REFUSAL_KEYS, (found) => countRefusal(found, at));
    if (verdict === "over") fullUntil = until;
    if (verdict === "over") return;
    const knownName = verdict === "listed" && (await isKnownName(database, kind, name)) ? name : undefined;
    const entry = { ...toOrigin(kind, source), at, actor: "", action, subject: signInSubject(knownName), changes: [] };
    await createAudit(database.write, verdict === "listed" ? entry : overflowEntry(at, kind, until));
    if (verdict === "full") fullUntil = until;
  }

  function isDue(key: string, now: number, every: number): boolean {
    const last = recentSignIns.get(key);
    if (last !== undefined && Math.abs(now - last) < every) return false;
    recentSignIns.set(key, now);
    return true;
  }
}

type SignIn = Extract<SignInEvent, { user: unknown }>;
type RefusedSignIn = Exclude<SignInEvent, SignIn>;

/** Returns whether the remaining time is positive and at most a day. It is longer only if the clock was set back. */
function isWithinLimit(left: number): boolean {
  return left > 0 && left <= 24 * HOUR_MS;
}

function actorKind(kind: SignIn["user"]["kind"]): ActorKind {
  return kind === "token" || kind === "sender" || kind === "open" ? kind : "person";
}

function signInSubject(name: string | undefined): string {
  return name === undefined ? "sign-in" : `sign-in:${name}`;
}

function toOrigin(kind: ActorKind, { address, agent }: SignInSource): Pick<AuditEntry, "kind" | "address" | "agent"> {
  return { kind, address, agent: agent?.slice(0, MAX_AGENT_LENGTH) };
}

function overflowEntry(at: number, kind: ActorKind, until: number): AuditEntry {
  const changes = [{ field: "refused sign-ins", from: "", to: `too many; not listed until ${new Date(until).toISOString()}` }];
  return { at, actor: "", kind, action: "locked out", subject: "sign-in", changes };
}

/**
 * Returns whether a user has this name. Only existing names are recorded, because users sometimes type their password into the name field.
 */
async function isKnownName({ read }: Database, kind: RefusedSignIn["kind"], name: string | undefined): Promise<boolean> {
  if (name === undefined || kind === "token") return false;
  if (kind === "person" && SHARED_NAMES.includes(personName(name))) return true;
  const rows =
    kind === "sender"
      ? await read.selectFrom("sender").select("name").where("name", "=", name).execute()
      : await read.selectFrom("person").select("name").where("name", "=", personName(name)).execute();
  return rows.length > 0;
}

const SIGN_IN_AUDIT_LOCK = "roomrack: sign-ins in the audit log";

/** Records a sign-in unless another process has already recorded it. Uses `edit`, because `commit` would use up a message ID. */
async function recordOnce({ edit }: Database, entry: AuditEntry, since: number): Promise<void> {
  const { actor, action, address, at } = entry;
  await edit(SIGN_IN_AUDIT_LOCK, async (db) => {
    const last = await db
      .selectFrom("audit")
      .select("at")
      .where("actor", "=", actor)
      .where("action", "=", action)
      .where("address", "=", address ?? null)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (last === undefined || last.at <= since || last.at > at) await createAudit(db, entry);
  });
}
