import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "node:querystring";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from "fastify";
import { failureStore } from "./access/failures.ts";
import { OpenIdProvider, type OpenIdSettings } from "./access/openid-provider.ts";
import { stretchPassword } from "./access/password-hash.ts";
import { peopleSignIn } from "./access/people-sign-in.ts";
import { hashSecret, type LiveSecrets, liveSecrets } from "./access/secrets.ts";
import { sessionStore } from "./access/sessions.ts";
import { signInAudit } from "./access/sign-in-audit.ts";
import { type Clock, stopwatch } from "./clock.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Database } from "./db/database.ts";
import { describeOutage } from "./db/faults.ts";
import { scrubText } from "./errors/describe/redact.ts";
import type { ErrorLog } from "./errors/recorder.ts";
import { makeHandle } from "./modules/channel/handler.ts";
import { type ThreadHandler, ChannelTraffic } from "./modules/channel/traffic.ts";
import { type Module } from "./modules/module.ts";
import { modules, type ModuleDeps } from "./modules/modules.ts";
import { useSecretNames } from "./secrets/names.ts";
import { addAllMethods } from "./web/any-route.ts";
import { StaticAssets } from "./web/assets.ts";
import { CacheRegistry } from "./web/caches.ts";
import { addCompression } from "./web/compression.ts";
import { rememberRequest } from "./web/current-request.ts";
import { addErrorHandler, addNotFound } from "./web/error-handler.ts";
import { addEtags } from "./web/etag.ts";
import { MAX_FIELDS } from "./web/form.ts";
import { addAccess } from "./web/guard/access.ts";
import { addCsrfCheck } from "./web/guard/csrf.ts";
import { FormCookie } from "./web/guard/form-cookie.ts";
import { reportUntrustedProxies } from "./web/guard/networks.ts";
import { isOwnOrigin } from "./web/guard/origin.ts";
import { addRequestLimit } from "./web/guard/request-limit.ts";
import { addSecurityHeaders } from "./web/guard/security-headers.ts";
import { addSessions } from "./web/guard/session.ts";
import type { Credentials } from "./web/guard/sign-in.ts";
import { SingleSignOn } from "./web/guard/single-sign-on.ts";
import { onRequest } from "./web/hooks.ts";
import { rejectMalformed } from "./web/malformed-request.ts";
import { acceptMultipartForms } from "./web/multipart.ts";
import { addReplicaReading } from "./web/replica-reading.ts";
import { RequestLog } from "./web/request-log.ts";
import { addRouteRegistry } from "./web/route-registry.ts";
import { addShell } from "./web/shell.ts";
import { MAX_SEGMENT_LENGTH, requireOneHost, routableTarget } from "./web/target.ts";

const MAX_FORM_BYTES = 1024 * 1024;
/** Time limit for receiving a request. Fastify's default is no limit. */
const REQUEST_TIMEOUT_MS = 300_000;
const MAX_HEADER_BYTES = 64 * 1024;
const PUBLIC_FOLDER = new URL("../public/", import.meta.url);

/** Without `credentials`, access is open to requests from this machine. */
export type AppOptions = {
  config: Config;
  clock: Clock;
  database: Database;
  errors: ErrorLog;
  credentials: Credentials | undefined;
  /** Worker threads for large messages. If undefined, the main thread handles such messages. */
  threads?: ThreadHandler | undefined;
  logger?: FastifyServerOptions["logger"];
};

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, clock, database, errors } = options;
  useSecretNames(config.values.SECRET_NAMES);
  const app = fastify(serverOptions(options));
  addAllMethods(app);
  const caches = new CacheRegistry();
  const routes = addRouteRegistry(app, clock);
  const untrustedProxy = await addSharedHooks(app, options);
  const loadTimes = new Map<string, number>();
  const startedAt = clock.now();
  const traffic = new ChannelTraffic({ workers: config.workers, threads: options.threads });
  const parts: ModuleDeps = {
    config,
    clock,
    database,
    errors,
    caches,
    traffic,
    handle: makeHandle({ database, clock, errors, traffic }),
    routes,
    modules,
    loadTimes,
    startedAt,
    untrustedProxy,
  };
  for (const module of modules) {
    const elapsed = stopwatch();
    await app.register(async (scope) => addModule(scope, module, parts));
    loadTimes.set(module.name, elapsed());
  }
  refuseRouteAsPrefix(app, config);
  return app;
}

/** Refuses a prefix that is also a route, such as `/channel`, because requests for the route and the home page would then be ambiguous. */
function refuseRouteAsPrefix(app: FastifyInstance, { prefix }: Config): void {
  if (prefix === "" || !app.hasRoute({ method: "GET", url: prefix })) return;
  throw new ConfigError(`PUBLIC_URL ends in ${prefix}, which is one of Roomrack's own paths. Use another path.`);
}

function serverOptions({ config, logger }: AppOptions): FastifyHttpOptions<Server> {
  const { TRUST_PROXY: trusted } = config.values;
  return {
    logger: logger ?? false,
    logController: new RequestLog(scrubText),
    // Always returns the same logger, because creating one per request is slower than writing the log lines.
    childLoggerFactory: (log) => log,
    trustProxy: trusted.length > 0 ? trusted : false,
    bodyLimit: MAX_FORM_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => routableTarget(request.url ?? "/", config.prefix),
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH },
    // By default, Node rejects requests without a Host header before any hook runs, and sends an empty response.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: rejectMalformed(MAX_HEADER_BYTES),
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  };
}

/** Replaces Fastify's schema compilers, which account for 10% of the startup time. Routes have no JSON schemas. */
function noCompiler() {
  return () => {
    throw new Error("A route has a JSON schema; validate its body with zod instead");
  };
}

/**
 * Adds the hooks, whose order matters; see “The life of a request” in ARCHITECTURE.md. The returned function returns the last untrusted
 * proxy.
 */
async function addSharedHooks(app: FastifyInstance, options: AppOptions): Promise<() => string | undefined> {
  const { config, clock, database, errors } = options;
  const { prefix, https } = config;
  const assets = new StaticAssets(PUBLIC_FOLDER);
  await app.register(cookie);
  await app.register(formbody, { parser: readFields });
  acceptMultipartForms(app);
  addShell(app, { prefix, https, open: options.credentials === undefined, assets, clock });
  addSecurityHeaders(app, { prefix, https });
  addErrorHandler(app, errors, describeOutage);
  requireOneHost(app);
  addNotFound(app);
  rememberRequest(app);
  const untrustedProxy = reportUntrustedProxies(app, { trusted: config.values.TRUST_PROXY, clock });
  const secrets = await liveSecrets(database, clock);
  onRequest(app, () => secrets.refresh());
  const credentials = options.credentials && liveCredentials(options.credentials, config, secrets);
  const cookies = { prefix, https, secret: () => secrets.sessionKey() };
  const failures = failureStore(database, clock, "people");
  const port = rememberPort(app, config.values.PORT);
  const isOwn = (origin: string, request: FastifyRequest) => isOwnOrigin(origin, request, config.values.PUBLIC_URL);
  const events = signInAudit({ database, clock, log: app.log });
  addSessions(app, { store: sessionStore(database), clock, limits: config.session, events, ...cookies });
  const people = peopleSignIn(database, clock, cookies.secret);
  const hashFunctions = { hash: hashSecret, stretch: (hash: string) => stretchPassword(hash, secrets.sessionKey()) };
  const formCookie = new FormCookie(cookies);
  const openId = openIdSettings(config);
  const singleSignOn =
    openId && new SingleSignOn({ provider: new OpenIdProvider({ settings: openId, database, clock }), clock, ...cookies });
  addAccess(app, {
    credentials,
    ...hashFunctions,
    clock,
    failures,
    people,
    events,
    cookies,
    formCookie,
    singleSignOn,
    port,
    isOwnOrigin: isOwn,
  });
  addRequestLimit(app, { perMinute: config.values.TOKEN_REQUESTS_PER_MINUTE, workers: config.workers, clock });
  addReplicaReading(app);
  addCsrfCheck(app, isOwn, formCookie);
  addEtags(app);
  addCompression(app);
  assets.register(app);
  return untrustedProxy;
}

/** Reads the generated administrator password on each use, because a command can replace it while the service runs. */
function liveCredentials(credentials: Credentials, { values }: Config, secrets: LiveSecrets): Credentials {
  if (values.ADMIN_PASSWORD !== undefined) return credentials;
  const { admin, ...others } = credentials;
  return {
    ...others,
    get admin() {
      return secrets.adminPassword() ?? admin;
    },
  };
}

function openIdSettings({ values, prefix }: Config): OpenIdSettings | undefined {
  const { OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl } = values;
  if (issuer === undefined) return undefined;
  return {
    issuer,
    clientId: values.OIDC_CLIENT_ID!,
    clientSecret: values.OIDC_CLIENT_SECRET!,
    redirectUri: `${publicUrl!.origin}${prefix}/`,
    scopes: values.OIDC_SCOPES,
    roleClaim: values.OIDC_ROLE_CLAIM,
    admins: values.OIDC_ADMINS,
    editors: values.OIDC_EDITORS,
    viewers: values.OIDC_VIEWERS,
    requiredAcr: values.OIDC_REQUIRED_ACR,
  };
}

function readFields(body: string): Record<string, unknown> {
  return parse(body, "&", "=", { maxKeys: MAX_FIELDS });
}

async function addModule(scope: FastifyInstance, module: Module<ModuleDeps>, parts: ModuleDeps): Promise<void> {
  scope.addHook("onRoute", (route) => {
    (route.config ??= {}).module = module.name;
  });
  await module.register(scope, parts);
}

function rememberPort(app: FastifyInstance, setting: number): () => number {
  let port = setting;
  app.server.on("listening", () => ({ port } = app.server.address() as AddressInfo));
  return () => port;
}
