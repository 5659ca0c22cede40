import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../../access/secrets.ts";
import type { Database } from "../../../db/database.ts";
import type { Credentials } from "./credentials.ts";
import { matchesDigest, parseCreated } from "./digest.ts";
import { useNonce } from "./nonce-store.ts";
import { findCredentials, type StoredSecret, type SenderCredentials } from "./store.ts";

/** `until` is when the secret expires. `reason` is why the credentials are refused; it is only logged. */
export type CheckResult = { sender: SenderCredentials; until: number } | { reason: string };

type CheckLimits = { now: number; digestMs: number };

export async function checkCredentials(database: Database, credentials: Credentials, limits: CheckLimits): Promise<CheckResult> {
  const sender = await findCredentials(database, credentials);
  if (credentials.digest) return checkDigest(database, { ...credentials, sender }, limits);
  const matchingSecret = findSecret(sender, credentials.secret);
  if (!sender) return { reason: credentials.name === undefined ? "unknown token" : "unknown sender" };
  return checkSecret(sender, matchingSecret, limits.now);
}

/** Compares a secret even if the sender doesn't exist, so that the response time doesn't reveal which senders exist. */
function findSecret(sender: SenderCredentials | undefined, secret: string): StoredSecret | undefined {
  const hash = Buffer.from(hashSecret(secret));
  const storedSecrets = sender?.secrets ?? [NO_SECRET];
  return storedSecrets.filter((one) => timingSafeEqual(Buffer.from(one.hash), hash))[0];
}

const NO_SECRET: StoredSecret = { hash: hashSecret(""), until: 0, digestSecret: undefined };

function checkSecret(sender: SenderCredentials, matching: StoredSecret | undefined, now: number): CheckResult {
  if (sender.disabledAt !== undefined) return { reason: "the sender is disabled" };
  if (!matching) return { reason: "wrong secret" };
  if (matching.until > now) return { sender, until: matching.until };
  return { reason: matching === sender.secrets[0] ? "the secret has expired" : "the secret was replaced" };
}

type SentDigest = Pick<Credentials, "secret" | "digest"> & { sender: SenderCredentials | undefined };

async function checkDigest(database: Database, { secret, digest, sender }: SentDigest, limits: CheckLimits): Promise<CheckResult> {
  const { nonce, created } = digest!;
  if (!sender) return { reason: "unknown sender" };
  if (!sender.secrets.some(({ digestSecret }) => digestSecret)) return { reason: "the sender is not set up for PasswordDigest" };
  if (!nonce || !created) return { reason: "PasswordDigest without Nonce or Created" };
  const matchingSecret = sender.secrets.find(
    ({ digestSecret }) => digestSecret && matchesDigest(digestSecret, { digest: secret, nonce, created }),
  );
  const checkResult = checkSecret(sender, matchingSecret, limits.now);
  if ("reason" in checkResult) return checkResult;
  const at = parseCreated(created);
  if (at === undefined) return { reason: "Created is not a time with a time zone" };
  if (Math.abs(limits.now - at) > limits.digestMs) return { reason: "Created differs too much from the server's time" };
  const isFirst = await useNonce(database, { sender: sender.name, nonce, until: at + limits.digestMs, now: limits.now });
  return isFirst ? checkResult : { reason: "the digest has already been used" };
}
