import { personState } from "../../../access/people.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { type ReadinessCheck, ok, problemFinding, problemIfAny } from "./check.ts";
import type { ReadinessFacts } from "./facts.ts";

const UNUSED_AFTER_DAYS = 90;
/** New users, tokens and senders may stay unused for this long. */
const NEW_RECORD_DAYS = 7;

export const ACCESS_CHECKS: readonly ReadinessCheck[] = [
  {
    title: "Access requires signing in",
    why: "With open access, every program and user on this machine is an administrator.",
    remedy: "Set ADMIN_PASSWORD or NODE_ENV=production, and restart.",
    find: ({ open }) => (open ? problemFinding("Access is open to this machine.") : ok("Pages require signing in.")),
  },
  {
    title: "Passwords are hard to guess",
    why: "A password that appears in lists of common passwords can be guessed despite lockouts.",
    remedy: "Set a passphrase of several unrelated words, and restart.",
    find: ({ config: { weakPasswords } }) => problemIfAny(weakPasswords, "No shared password is easy to guess."),
  },
  {
    title: "The generated administrator password has been replaced",
    why: "A generated password was printed on first start, so it may still be in a log or terminal.",
    remedy: "Set ADMIN_PASSWORD or ADMIN_PASSWORD_FILE and restart, or run: npm run user -- new-admin-password",
    find: ({ config: { values }, open }) =>
      values.ADMIN_PASSWORD === undefined && !open
        ? problemFinding("A generated password is in use.")
        : ok("No generated password is in use."),
  },
  {
    title: "There is more than one administrator",
    why: "With a shared password, the audit log can't tell who acted. A single administrator can lose their password.",
    remedy: "Invite at least two administrators at /tools/users, and keep ADMIN_PASSWORD for emergencies.",
    find: ({ people, now }) => {
      const admins = people.filter((person) => person.role === "admin" && personState(person, now) === "active").length;
      const adminCountText = `${formatCount(admins, "named administrator")} can sign in.`;
      return admins < 2 ? problemFinding(adminCountText) : ok(adminCountText);
    },
  },
  {
    title: "All users have accepted their invitations",
    why: "Anyone with the link to an open invitation can choose the user's password.",
    remedy: "Ask the user to accept the invitation, or delete the user at /tools/users.",
    find: ({ people, now }) =>
      problemIfAny(listNames(people.filter((person) => personState(person, now).startsWith("invit"))), "No invitation is open."),
  },
  {
    title: "All users have signed in",
    why: "Misuse of an account goes unnoticed if its owner never signs in.",
    remedy: "Disable or delete the user at /tools/users.",
    find: ({ people, now }) => {
      const unseenPeople = people.filter((person) => personState(person, now) === "active" && person.seenAt === undefined);
      return problemIfAny(
        listNames(unseenPeople.filter(({ createdAt }) => now - createdAt > NEW_RECORD_DAYS * DAY_MS)),
        "All active users have signed in.",
      );
    },
  },
  {
    title: "API tokens have an expiry date",
    why: "A leaked token works until it expires or is revoked.",
    remedy: "Create a token with an expiry date at /tools/tokens, and revoke the old one.",
    find: ({ tokens }) =>
      problemIfAny(listNames(tokens.filter(({ expiresAt }) => expiresAt === undefined)), "All active tokens have an expiry date."),
  },
  {
    title: "API tokens are in use",
    why: "An unused token is a risk without a benefit.",
    remedy: "Revoke the token at /tools/tokens.",
    find: (facts) => findUnused(facts.tokens, facts, "token"),
  },
  {
    title: "Sender secrets have an expiry date",
    why: "A leaked secret works until it expires or is replaced.",
    remedy: "Set an expiry date on the sender's page at /dev/senders.",
    find: ({ senders }) =>
      problemIfAny(
        listNames(senders.filter(({ expiresAt }) => expiresAt === undefined)),
        "All active senders' secrets have an expiry date.",
      ),
  },
  {
    title: "Senders are in use",
    why: "A sender that is no longer connected can still change rates and availability.",
    remedy: "Disable the sender at /dev/senders.",
    find: (facts) => findUnused(facts.senders, facts, "sender"),
  },
  {
    title: "Senders are limited to their properties",
    why: "A sender with access to all properties can change every property's rates.",
    remedy: "Choose the properties on the sender's page at /dev/senders.",
    find: ({ senders }) =>
      problemIfAny(listNames(senders.filter(({ hasAll }) => hasAll)), "No active sender has access to all properties."),
  },
];

type UsageRecord = { name: string; createdAt: number; usedAt: number | undefined };

function findUnused(all: readonly UsageRecord[], { now }: ReadinessFacts, what: string) {
  const isOld = ({ usedAt, createdAt }: UsageRecord) =>
    now - (usedAt ?? createdAt) > (usedAt === undefined ? NEW_RECORD_DAYS : UNUSED_AFTER_DAYS) * DAY_MS;
  return problemIfAny(listNames(all.filter(isOld)), `Every active ${what} was used in the last ${UNUSED_AFTER_DAYS} days, or is new.`);
}

function listNames(all: readonly { name: string }[]): string[] {
  return all.map(({ name }) => name);
}
