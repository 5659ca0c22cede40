import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { hostUrls } from "./database-url.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];

const integerSchema = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const isAllowed = (number: number) => number >= min && number <= max;
  return z.string().regex(/^\d+$/, error).transform(Number).refine(isAllowed, error);
};

const choiceSchema = <Word extends string>(...words: Word[]) => z.enum(words, `must be one of ${words.join(", ")}`);

/**
 * Matches a path prefix. One that starts with two slashes would link to a different host, and a `;` or `,` would end the path in a cookie
 * or header.
 */
const PREFIX_PATTERN = /^(?:\/[\w.~%-]+)*\/?$/;

const publicUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be a URL such as https://rooms.example.com/path" })
  .transform((text) => new URL(text))
  .refine((url) => url.search + url.hash + url.username + url.password === "", "must not contain a query, fragment or user name")
  .refine(
    (url) => PREFIX_PATTERN.test(url.pathname),
    "must have a path of letters, digits, - . _ ~ without empty segments, because it becomes part of links, cookies and headers",
  );

const webhookUrlSchema = z
  .url({ protocol: /^https$/, error: "must be a URL such as https://hooks.example.com/path" })
  .transform((text) => new URL(text))
  .refine((url) => url.username + url.password === "", "must not contain a user name");

const smtpUrlSchema = z
  .string()
  .refine((text) => /^smtps?:\/\/\S+$/.test(text) && URL.canParse(text), "must be a URL such as smtps://user:password@mail.example.com")
  .describe("a URL such as smtps://user:password@mail.example.com");

/** Plain HTTP is only for tests and development, because anyone who can intercept it on a network could sign in as any user. */
const issuerUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be a URL such as https://id.example.com/realms/hotel" })
  .transform((text) => new URL(text))
  .refine((url) => url.search + url.hash + url.username + url.password === "", "must not contain a query, fragment or user name")
  .refine((url) => url.protocol === "https:" || LOOPBACK_HOSTS.includes(url.hostname), "must start with https://, except on this machine");

const MAX_WORKERS = 64;

const workerCountSchema = z
  .string()
  .refine(
    (text) => text === "auto" || (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS),
    `must be auto or a number from 1 to ${MAX_WORKERS}`,
  )
  .transform((text) => (text === "auto" ? coreCount() : Number(text)));

/** A database URL. It is checked here, because the PostgreSQL client would print an invalid URL with its password. */
const databaseUrlSchema = z
  .string()
  .refine(
    (text) => hostUrls(text) !== undefined,
    "must be a URL such as postgres://user:password@host/database, with commas between several hosts; target_session_attrs can only be read-write, primary or any",
  );

const replicaUrlSchema = z
  .string()
  .refine((text) => hostUrls(text)?.length === 1, "must be the URL of one server, such as postgres://user:password@host/database");

const listSchema = (isAllowed: (part: string) => boolean, kind: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every(isAllowed), `must be ${kind}, separated by commas`);

const passwordSchema = z.string().describe("at least 12 characters, not a common password");

const secretFileSchema = z.string().describe("path of a file that contains only the password or secret");

const REPORT_KINDS = ["extensions", "about", "other-hosts"];

export const settings = {
  NODE_ENV: choiceSchema("development", "production", "test").default("development"),
  PORT: integerSchema(0, 65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: databaseUrlSchema.optional(),
  DATABASE_REPLICA_URL: replicaUrlSchema.optional(),
  DATABASE_REPLICA_MAX_DELAY: integerSchema(1, 3_600).default(5),
  DATABASE_CONNECTIONS: integerSchema(1, 10_000).optional(),
  WORKERS: workerCountSchema.optional(),
  METRICS_PORT: integerSchema(1, 65_535).optional(),
  DRAIN_SECONDS: integerSchema(0, 300).default(0),
  LOG_LEVEL: choiceSchema("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
  TZ: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Rome").optional(),
  ADMIN_PASSWORD: passwordSchema.optional(),
  ADMIN_PASSWORD_FILE: secretFileSchema.optional(),
  VIEWER_PASSWORD: passwordSchema.optional(),
  VIEWER_PASSWORD_FILE: secretFileSchema.optional(),
  PROXY_USER_HEADER: z
    .string()
    .regex(/^(?!(?:proxy-)?authorization$|cookie$)[a-z\d-]+$/i, "must be a header name such as Remote-User")
    .optional(),
  PROXY_USER_NETWORKS: listSchema(isNetworkRange, "IP addresses or networks such as 10.0.0.0/8").default([]),
  PROXY_ADMINS: listSchema(() => true, "names").default([]),
  OIDC_ISSUER: issuerUrlSchema.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().describe("client secret issued by the identity provider").optional(),
  OIDC_CLIENT_SECRET_FILE: secretFileSchema.optional(),
  OIDC_SCOPES: listSchema((part) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(part), "scope names").default([]),
  OIDC_ROLE_CLAIM: z.string().optional(),
  OIDC_ADMINS: listSchema(() => true, "values of the claim").default([]),
  OIDC_EDITORS: listSchema(() => true, "values of the claim").default([]),
  OIDC_VIEWERS: listSchema(() => true, "values of the claim").default([]),
  OIDC_REQUIRED_ACR: listSchema((part) => /^\S+$/.test(part), "values of the claims acr or amr, without spaces").default([]),
  TRUST_PROXY: listSchema(isNetworkRange, "IP addresses or networks such as 10.0.0.0/8").default([]),
  PUBLIC_URL: publicUrlSchema.optional(),
  SESSION_IDLE_HOURS: integerSchema(1, 24).default(8),
  SESSION_MAX_DAYS: integerSchema(1, 30).default(7),
  CHANNEL_PLACES_PER_SENDER: integerSchema(1, 10_000).default(64),
  CHANNEL_MESSAGES_PER_MINUTE: integerSchema(1, 1_000_000).optional(),
  CHANNEL_MEGABYTES_PER_MINUTE: integerSchema(1, 1_000_000).optional(),
  CHANNEL_DIGEST_MINUTES: integerSchema(1, 1440).default(5),
  TOKEN_REQUESTS_PER_MINUTE: integerSchema(1, 1_000_000).default(3000),
  SCHEMA_DIR: z.string().min(1).optional(),
  KEEP_LOG_DAYS: integerSchema(1, 3650).default(90),
  KEEP_NIGHTS_DAYS: integerSchema(30, 3650).default(400),
  KEEP_AUDIT_DAYS: integerSchema(30, 3650).default(1095),
  KEEP_ERRORS_DAYS: integerSchema(1, 3650).default(365),
  KEEP_ERRORS: integerSchema(1000, 100_000_000).default(2_000_000),
  KEEP_ERRORS_MB: integerSchema(1, 1_000_000).default(1024),
  IGNORE_NOT_FOUND: listSchema((part) => /^[/*]/.test(part), "paths that start with / or *, such as /.env or *.php").default([]),
  IGNORE_CSP_REPORTS: listSchema((part) => REPORT_KINDS.includes(part), `any of ${REPORT_KINDS.join(", ")}`).default([]),
  SECRET_NAMES: listSchema(
    (part) => /^[a-z]{2}[\w-]{0,48}$/i.test(part),
    "names of letters, digits, - and _ that start with two letters",
  ).default([]),
  WEBHOOK_NETWORKS: listSchema(isNetworkRange, "IP addresses or networks such as 10.0.0.0/8").default([]),
  SMTP_URL: smtpUrlSchema.optional(),
  SMTP_URL_FILE: secretFileSchema.optional(),
  ALERT_EMAILS: listSchema(isEmail, "e-mail addresses").default([]),
  ALERT_EMAIL_FROM: z.string().refine(isEmail, "must be an e-mail address").optional(),
  ERROR_WEBHOOK_URL: webhookUrlSchema.optional(),
  ERROR_WEBHOOK_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
} as const;

export type SettingName = keyof typeof settings;

export function coreCount(): number {
  return Math.min(availableParallelism(), MAX_WORKERS);
}

function isEmail(text: string): boolean {
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function isNetworkRange(text: string): boolean {
  const [address = "", bits = "1", extra] = text.split("/");
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && extra === undefined && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits;
}
