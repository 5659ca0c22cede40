import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { isGuessable } from "./passwords.ts";

/** Thrown at the start with all faults of the environment. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const isAllowed = (number: number) => number >= min && number <= max;
  return z.string().regex(/^\d+$/, error).transform(Number).refine(isAllowed, error);
};

const wordOf = <Word extends string>(...words: Word[]) => z.enum(words, `must be one of ${words.join(", ")}`);

/** A link that begins with two slashes leads to another host; a `;` or `,` would end the path of a cookie or a header. */
const PREFIX = /^(?:\/[\w.~%-]+)*\/?$/;

const publicUrl = z
  .url({ protocol: /^https?$/, error: "must be an address like https://rooms.example.com/path" })
  .transform((text) => new URL(text))
  .refine((url) => url.search + url.hash + url.username + url.password === "", "must have no query, fragment or user")
  .refine(
    (url) => PREFIX.test(url.pathname),
    "must have a path of letters, digits, - . _ ~ and no empty segment: links, cookies and headers begin with it",
  );

const webhookUrl = z
  .url({ protocol: /^https$/, error: "must be an address like https://hooks.example.com/path" })
  .transform((text) => new URL(text))
  .refine((url) => url.username + url.password === "", "must have no user");

const MOST_WORKERS = 64;

const processCount = z
  .string()
  .refine(
    (text) => text === "auto" || (/^[1-9]\d?$/.test(text) && Number(text) <= MOST_WORKERS),
    `must be auto, or a number from 1 to ${MOST_WORKERS}`,
  )
  .transform((text) => (text === "auto" ? coreCount() : Number(text)));

const listOf = (isAllowed: (part: string) => boolean, kind: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every(isAllowed), `must be ${kind}, separated by commas`);

const password = z.string().describe("at least 12 characters, not a common password");

const REPORT_NOISES = ["extensions", "about", "other-hosts"];

/** The settings: name, rule and default of each; `.env.example` has the same list in words. */
export const settings = {
  NODE_ENV: wordOf("development", "production", "test").default("development"),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.string().refine(isPostgresUrl, "must be an address like postgres://user:password@host/database").optional(),
  WORKERS: processCount.optional(),
  LOG_LEVEL: wordOf("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
  TZ: z.string().refine(isTimeZone, "must be an IANA time zone like Europe/Rome").optional(),
  ADMIN_PASSWORD: password.optional(),
  VIEWER_PASSWORD: password.optional(),
  PROXY_USER_HEADER: z
    .string()
    .regex(/^(?!(?:proxy-)?authorization$|cookie$)[a-z\d-]+$/i, "must be the name of a header like Remote-User")
    .optional(),
  PROXY_USER_NETWORKS: listOf(isNetwork, "addresses or networks like 10.0.0.0/8").default([]),
  PROXY_ADMINS: listOf(() => true, "names").default([]),
  TRUST_PROXY: listOf(isNetwork, "addresses or networks like 10.0.0.0/8").default([]),
  PUBLIC_URL: publicUrl.optional(),
  CHANNEL_PLACES_PER_SENDER: wholeNumber(1, 10_000).default(64),
  SCHEMA_DIR: z.string().min(1).optional(),
  KEEP_LOG_DAYS: wholeNumber(1, 3650).default(90),
  KEEP_NIGHTS_DAYS: wholeNumber(30, 3650).default(400),
  KEEP_ERRORS_DAYS: wholeNumber(1, 3650).default(365),
  KEEP_ERRORS: wholeNumber(1000, 100_000_000).default(2_000_000),
  KEEP_ERRORS_MB: wholeNumber(1, 1_000_000).default(1024),
  IGNORE_NOT_FOUND: listOf((part) => /^[/*]/.test(part), "paths like /.env or *.php, each with / or * in front").default([]),
  IGNORE_CSP_REPORTS: listOf((part) => REPORT_NOISES.includes(part), `words among ${REPORT_NOISES.join(" ")}`).default([]),
  SECRET_NAMES: listOf((part) => /^[a-z]{2}[\w-]{0,48}$/i.test(part), "names of letters, digits, - and _, from two letters on").default([]),
  ERROR_WEBHOOK_URL: webhookUrl.optional(),
  ERROR_WEBHOOK_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
} as const;

export type SettingName = keyof typeof settings;

type Values = z.infer<z.ZodObject<typeof settings>>;

const PASSWORDS = ["ADMIN_PASSWORD", "VIEWER_PASSWORD"] as const;
const GUESSABLE = "must have at least 12 characters and must not be a common password, even with digits or signs added";

/** What holds between settings, also faulty ones: of which one it is said, what must be so, and what is said where it is not. */
const BETWEEN: readonly (readonly [SettingName, (values: Values) => boolean, string])[] = [
  [
    "ERROR_WEBHOOK_SECRET",
    (values) => values.ERROR_WEBHOOK_URL === undefined || values.ERROR_WEBHOOK_SECRET !== undefined,
    "must be set where ERROR_WEBHOOK_URL is: what is sent there is signed with it",
  ],
  [
    "VIEWER_PASSWORD",
    (values) => values.VIEWER_PASSWORD === undefined || values.VIEWER_PASSWORD !== values.ADMIN_PASSWORD,
    "must be another one than ADMIN_PASSWORD: it tells viewers from administrators",
  ],
  [
    "PROXY_USER_NETWORKS",
    (values) => values.PROXY_USER_HEADER === undefined || values.PROXY_USER_NETWORKS.length > 0,
    "must name the proxy where PROXY_USER_HEADER is set: from elsewhere anybody can send that header",
  ],
  [
    "PROXY_USER_HEADER",
    (values) => values.PROXY_USER_HEADER !== undefined || values.PROXY_USER_NETWORKS.length + values.PROXY_ADMINS.length === 0,
    "must be set where PROXY_USER_NETWORKS or PROXY_ADMINS is: it names the user",
  ],
  ...PASSWORDS.map((name) => [name, (values: Values) => isLocal(values) || !isWeak(values[name]), GUESSABLE] as const),
];

const schema = BETWEEN.reduce<z.ZodType<Values>>(
  (whole, [name, holds, error]) => whole.refine(holds, { path: [name], error, when: () => true }),
  z.object(settings),
);

/** The effective configuration. */
export type Config = {
  values: Values;
  /** The name of each setting that the environment sets; the others have their default. */
  set: ReadonlySet<SettingName>;
  /** Names in the environment that look like a misspelt setting. */
  suspects: readonly string[];
  /** Development that only this machine reaches. */
  local: boolean;
  /** Passwords that are easy to guess; only `local` may have them. */
  weakPasswords: readonly SettingName[];
  /** Worker processes; with 1 the service is a single process. */
  workers: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Path below which users see the service, without a slash at the end; empty at the root. */
  prefix: string;
  /** Users reach the service over TLS. */
  https: boolean;
};

/**
 * Reads the settings from an environment. An empty or blank value counts as absent; blanks around one do not count.
 * Throws `ConfigError` with every fault.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const present = Object.entries(environment)
    .filter(([name]) => Object.hasOwn(settings, name))
    .map(([name, value = ""]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (!parsed.success) throw new ConfigError(describeFaults(parsed.error));
  const values = parsed.data;
  return {
    values,
    set: new Set(present.map(([name]) => name as SettingName)),
    suspects: Object.keys(environment).filter(isSuspect),
    local: isLocal(values),
    weakPasswords: PASSWORDS.filter((name) => isWeak(values[name])),
    workers: values.WORKERS ?? (values.NODE_ENV === "production" ? coreCount() : 1),
    dataDir: resolve(values.DATA_DIR),
    prefix: values.PUBLIC_URL?.pathname.replace(/(?<!\/)\/+$/, "") ?? "",
    https: values.PUBLIC_URL?.protocol === "https:",
  };
}

function isLocal({ NODE_ENV, HOST }: Values): boolean {
  return NODE_ENV !== "production" && LOOPBACK.includes(HOST);
}

function isWeak(given: string | undefined): boolean {
  return given !== undefined && isGuessable(given);
}

function coreCount(): number {
  return Math.min(availableParallelism(), MOST_WORKERS);
}

/** Equal to a setting but for case, dashes, underscores, or the product's name in front. */
function isSuspect(name: string): boolean {
  if (Object.hasOwn(settings, name)) return false;
  return /^roomrack_/i.test(name) || Object.keys(settings).some((setting) => squash(setting) === squash(name));
}

function squash(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "").replace(/s$/, "");
}

function describeFaults(error: z.ZodError): string {
  const lines = error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  return ["The settings have faults:", ...lines, "See .env.example for each setting and its default."].join("\n");
}

/** For any other address the PostgreSQL client says only that it is invalid, and prints it whole, with the password. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function isNetwork(text: string): boolean {
  const [address = "", bits = "1", more] = text.split("/");
  const longest = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest;
}
