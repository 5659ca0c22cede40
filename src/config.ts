import { resolve } from "node:path";
import { z } from "zod";
import { isGuessable, readSecretFile } from "./passwords.ts";
import { coreCount, type SettingName, settings } from "./settings.ts";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const HOUR_MS = 3_600_000;
const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];
type SettingValues = z.infer<z.ZodObject<typeof settings>>;

const PASSWORD_SETTINGS = ["ADMIN_PASSWORD", "VIEWER_PASSWORD"] as const;
/** Settings whose value can be read from a file. The path is in a setting with the same name and the suffix `_FILE`. */
const SECRET_SETTINGS = [...PASSWORD_SETTINGS, "OIDC_CLIENT_SECRET", "SMTP_URL"] as const;
const GUESSABLE_SETTINGS = "must have at least 12 characters and must not be a common password, even with digits or symbols added";

/** At least one connection each is needed for messages, pages and edits. */
const MIN_CONNECTIONS = 3;

const REQUIRED_OIDC_SETTINGS = [
  ["OIDC_CLIENT_ID", "must be set if OIDC_ISSUER is set, because it identifies this service to the identity provider"],
  ["OIDC_CLIENT_SECRET", "must be set if OIDC_ISSUER is set, because it authenticates this service to the identity provider"],
  ["PUBLIC_URL", "must be set if OIDC_ISSUER is set, because the identity provider sends users back to it"],
] as const;
const OIDC_ROLES = ["OIDC_ADMINS", "OIDC_EDITORS", "OIDC_VIEWERS"] as const;
const OIDC_OPTIONS = [
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_SCOPES",
  "OIDC_ROLE_CLAIM",
  ...OIDC_ROLES,
  "OIDC_REQUIRED_ACR",
] as const;

/** Rules that involve several settings. They are checked even if individual settings are invalid. */
const CROSS_RULES: readonly (readonly [reported: SettingName, isValid: (values: SettingValues) => boolean, error: string])[] = [
  [
    "ERROR_WEBHOOK_SECRET",
    (values) => values.ERROR_WEBHOOK_URL === undefined || values.ERROR_WEBHOOK_SECRET !== undefined,
    "must be set if ERROR_WEBHOOK_URL is set, because it signs the calls",
  ],
  [
    "SMTP_URL",
    (values) => values.SMTP_URL !== undefined || values.ALERT_EMAILS.length === 0,
    "must be set if ALERT_EMAILS is set, because it sends the e-mails",
  ],
  [
    "ALERT_EMAIL_FROM",
    (values) => values.SMTP_URL === undefined || values.ALERT_EMAIL_FROM !== undefined,
    "must be set if SMTP_URL is set, because e-mails are sent from it",
  ],
  [
    "VIEWER_PASSWORD",
    (values) => values.VIEWER_PASSWORD === undefined || values.VIEWER_PASSWORD !== values.ADMIN_PASSWORD,
    "must differ from ADMIN_PASSWORD, because it distinguishes viewers from administrators",
  ],
  [
    "PROXY_USER_NETWORKS",
    (values) => values.PROXY_USER_HEADER === undefined || values.PROXY_USER_NETWORKS.length > 0,
    "must list your proxy if PROXY_USER_HEADER is set, because anyone else could send that header",
  ],
  [
    "PROXY_USER_HEADER",
    (values) => values.PROXY_USER_HEADER !== undefined || values.PROXY_USER_NETWORKS.length + values.PROXY_ADMINS.length === 0,
    "must be set if PROXY_USER_NETWORKS or PROXY_ADMINS is set, because it names the user",
  ],
  ...REQUIRED_OIDC_SETTINGS.map(
    ([name, reason]) => [name, (values: SettingValues) => values.OIDC_ISSUER === undefined || values[name] !== undefined, reason] as const,
  ),
  [
    "OIDC_ISSUER",
    (values) => values.OIDC_ISSUER !== undefined || OIDC_OPTIONS.every((name) => isUnset(values[name])),
    "must be set if another OIDC setting is set, because it names the identity provider",
  ],
  [
    "OIDC_ROLE_CLAIM",
    (values) => values.OIDC_ROLE_CLAIM !== undefined || OIDC_ROLES.every((name) => isUnset(values[name])),
    "must be set if OIDC_ADMINS, OIDC_EDITORS or OIDC_VIEWERS is set, because they list its values",
  ],
  [
    "OIDC_ADMINS",
    (values) => values.OIDC_ROLE_CLAIM === undefined || !OIDC_ROLES.every((name) => isUnset(values[name])),
    "must be set if OIDC_ROLE_CLAIM is set, unless OIDC_EDITORS or OIDC_VIEWERS is",
  ],
  [
    "DATABASE_CONNECTIONS",
    (values) => !(Number(values.DATABASE_CONNECTIONS) < MIN_CONNECTIONS * workerCount(values)),
    `must be at least ${MIN_CONNECTIONS} per process; WORKERS sets the number of processes`,
  ],
  [
    "DATABASE_REPLICA_URL",
    (values) => values.DATABASE_REPLICA_URL === undefined || values.DATABASE_URL !== undefined,
    "must not be set without DATABASE_URL, because SQLite has no replicas",
  ],
  ...PASSWORD_SETTINGS.map(
    (name) => [name, (values: SettingValues) => isLocal(values) || !isWeakPassword(values[name]), GUESSABLE_SETTINGS] as const,
  ),
];

const settingsSchema = CROSS_RULES.reduce<z.ZodType<SettingValues>>(
  (whole, [name, isValid, error]) => whole.refine(isValid, { path: [name], error, when: () => true }),
  z.object(settings),
);

export type Config = {
  values: SettingValues;
  set: ReadonlySet<SettingName>;
  misspelled: readonly string[];
  local: boolean;
  /** Settings with easily guessed passwords, which are allowed only if `local` is true. */
  weakPasswords: readonly SettingName[];
  /** If 1, the service runs as a single process. */
  workers: number;
  dataDir: string;
  /** Path of `PUBLIC_URL` without a trailing slash; empty for the root. */
  prefix: string;
  https: boolean;
  session: { idleMs: number; lifetimeMs: number };
};

/** Trims values and treats blank values as absent. Throws one `ConfigError` with all errors. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const presentVariables = Object.entries(environment)
    .filter(([name]) => Object.hasOwn(settings, name))
    .map(([name, value = ""]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== "");
  const files = readSecretFiles(new Map(presentVariables));
  const parsedSettings = settingsSchema.safeParse({ ...Object.fromEntries(presentVariables), ...files.secrets });
  const faults = [...files.faults, ...(parsedSettings.error?.issues ?? []).map((issue) => describeIssue(issue, files.secrets))];
  if (!parsedSettings.success || faults.length > 0) throw new ConfigError(describeErrors(faults));
  const values = parsedSettings.data;
  return {
    values,
    set: new Set([...presentVariables.map(([name]) => name), ...Object.keys(files.secrets)] as SettingName[]),
    misspelled: Object.keys(environment).filter(isMisspelledSetting),
    local: isLocal(values),
    weakPasswords: PASSWORD_SETTINGS.filter((name) => isWeakPassword(values[name])),
    workers: workerCount(values),
    dataDir: resolve(values.DATA_DIR),
    prefix: values.PUBLIC_URL?.pathname.replace(/(?<!\/)\/+$/, "") ?? "",
    https: values.PUBLIC_URL?.protocol === "https:",
    session: { idleMs: values.SESSION_IDLE_HOURS * HOUR_MS, lifetimeMs: values.SESSION_MAX_DAYS * 24 * HOUR_MS },
  };
}

/** Returns whether anyone on this machine has access: in development on loopback, if no credentials are configured. */
export function isAccessOpen({ values, local }: Pick<Config, "values" | "local">): boolean {
  const { ADMIN_PASSWORD, VIEWER_PASSWORD, PROXY_USER_HEADER, OIDC_ISSUER } = values;
  const nothingSet = [ADMIN_PASSWORD, VIEWER_PASSWORD, PROXY_USER_HEADER, OIDC_ISSUER].every((value) => value === undefined);
  return nothingSet && local;
}

function workerCount({ WORKERS, NODE_ENV }: SettingValues): number {
  return WORKERS ?? (NODE_ENV === "production" ? coreCount() : 1);
}

function isUnset(value: string | readonly string[] | undefined): boolean {
  return value === undefined || value.length === 0;
}

function isLocal({ NODE_ENV, HOST }: SettingValues): boolean {
  return NODE_ENV !== "production" && LOOPBACK_HOSTS.includes(HOST);
}

function isWeakPassword(password: string | undefined): boolean {
  return password !== undefined && isGuessable(password);
}

/** Returns whether a name differs from a setting only in case, separators or a plural s, or starts with the product name. */
function isMisspelledSetting(name: string): boolean {
  if (Object.hasOwn(settings, name)) return false;
  return /^roomrack_/i.test(name) || Object.keys(settings).some((setting) => normalizeName(setting) === normalizeName(name));
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "").replace(/s$/, "");
}

type SecretFiles = { secrets: Partial<Record<(typeof SECRET_SETTINGS)[number], string>>; faults: string[] };

function readSecretFiles(presentVariables: ReadonlyMap<string, string>): SecretFiles {
  const files: SecretFiles = { secrets: {}, faults: [] };
  for (const name of SECRET_SETTINGS) {
    const path = presentVariables.get(`${name}_FILE`);
    if (path === undefined) continue;
    const file = readSecretFile(path);
    if (presentVariables.has(name)) files.faults.push(`${name}_FILE: must not be set together with ${name}`);
    else if ("fault" in file) files.faults.push(`${name}_FILE: ${file.fault}`);
    else files.secrets[name] = file.secret;
  }
  return files;
}

function describeIssue({ path, message }: z.core.$ZodIssue, secrets: SecretFiles["secrets"]): string {
  const name = path.join(".");
  return `${Object.hasOwn(secrets, name) ? `${name}_FILE` : name}: ${message}`;
}

function describeErrors(faults: readonly string[]): string {
  const lines = faults.map((fault) => `  ${fault}`);
  return ["Invalid settings:", ...lines, "See .env.example for each setting and its default."].join("\n");
}
