import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "node:querystring";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from "fastify";
import { failureStore } from "./access/failures.ts";
import { hashSecret, sessionKey } from "./access/secrets.ts";
import { sessionStore } from "./access/sessions.ts";
import { type Clock, stopwatch } from "./clock.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Database } from "./db/database.ts";
import { tellOutage } from "./db/faults.ts";
import { scrubText } from "./errors/describe/redact.ts";
import type { ErrorLog } from "./errors/recorder.ts";
import { type Threads, Traffic } from "./modules/channel/traffic.ts";
import type { Module, Services } from "./modules/module.ts";
import { modules } from "./modules/modules.ts";
import { useSecretNames } from "./secrets/names.ts";
import { addAllMethods } from "./web/any-route.ts";
import { Assets } from "./web/assets.ts";
import { Caches } from "./web/caches.ts";
import { addCompression } from "./web/compression.ts";
import { addConditionalAnswers } from "./web/conditional.ts";
import { rememberRequest } from "./web/current-request.ts";
import { addErrorHandler, addNotFound } from "./web/error-handler.ts";
import { MOST_FIELDS } from "./web/form.ts";
import { addAccess } from "./web/guard/access.ts";
import { addCsrfCheck } from "./web/guard/csrf.ts";
import { reportUntrustedProxies } from "./web/guard/forwarding.ts";
import { isOwnOrigin } from "./web/guard/origin.ts";
import { addSecurityHeaders } from "./web/guard/security-headers.ts";
import { addSessions } from "./web/guard/session.ts";
import type { Credentials } from "./web/guard/sign-in.ts";
import { takeMultipartForms } from "./web/multipart.ts";
import { RequestLog } from "./web/request-log.ts";
import { addRouteRegistry } from "./web/route-registry.ts";
import { addShell } from "./web/shell.ts";
import { LONGEST_SEGMENT, requireOneHost, routableTarget } from "./web/target.ts";
import { refuseUnreadable } from "./web/unreadable-request.ts";

const FORM_LIMIT_BYTES = 1024 * 1024;
/** Ends a request that is not complete by then; Fastify waits for ever. */
const REQUEST_LIMIT_MS = 300_000;
const HEAD_LIMIT_BYTES = 64 * 1024;
const PUBLIC_FOLDER = new URL("../public/", import.meta.url);

/** The parts of the app. `credentials` undefined: access is open, but only to this machine. */
export type AppOptions = {
  config: Config;
  clock: Clock;
  database: Database;
  errors: ErrorLog;
  credentials: Credentials | undefined;
  /** For large messages; without it the main thread handles them. */
  threads?: Threads | undefined;
  logger?: FastifyServerOptions["logger"];
};

/** The whole service, ready to listen or to be asked in process. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, clock, database, errors } = options;
  useSecretNames(config.values.SECRET_NAMES);
  const app = fastify(serverOptions(options));
  addAllMethods(app);
  const caches = new Caches();
  const routes = addRouteRegistry(app, clock);
  await addFrame(app, options);
  const loadTimes = new Map<string, number>();
  const startedAt = clock.now();
  const services: Services = {
    config,
    clock,
    database,
    errors,
    caches,
    traffic: new Traffic({ workers: config.workers, threads: options.threads }),
    routes,
    modules,
    loadTimes,
    startedAt,
  };
  for (const module of modules) {
    const elapsed = stopwatch();
    await app.register(async (scope) => addModule(scope, module, services));
    loadTimes.set(module.name, elapsed());
  }
  refuseOwnPath(app, config);
  return app;
}

/** Where the proxy strips the prefix, a request for `/channel` could not be told from one for the home page below it. */
function refuseOwnPath(app: FastifyInstance, { prefix }: Config): void {
  if (prefix === "" || !app.hasRoute({ method: "GET", url: prefix })) return;
  throw new ConfigError(`PUBLIC_URL ends in ${prefix}, a path of the service itself: serve it under another one.`);
}

function serverOptions({ config, logger }: AppOptions): FastifyHttpOptions<Server> {
  const { TRUST_PROXY: trusted } = config.values;
  return {
    logger: logger ?? false,
    logController: new RequestLog(scrubText),
    // One logger for all: a line of a request has its id, and a logger for each request would cost more than the line.
    childLoggerFactory: (log) => log,
    trustProxy: trusted.length > 0 ? trusted : false,
    bodyLimit: FORM_LIMIT_BYTES,
    requestTimeout: REQUEST_LIMIT_MS,
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => routableTarget(request.url ?? "/", config.prefix),
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    // Node would refuse a request without a host before any hook, with an empty answer.
    http: { maxHeaderSize: HEAD_LIMIT_BYTES, requireHostHeader: false },
    clientErrorHandler: refuseUnreadable(HEAD_LIMIT_BYTES),
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  };
}

/** Routes have no JSON schemas: zod reads bodies. Fastify would still load its compilers, a tenth of the start. */
function noCompiler() {
  return () => {
    throw new Error("A route has a JSON schema: read its body with zod");
  };
}

/** What every request goes through, in this order; the order is the one of ARCHITECTURE.md, "The life of a request". */
async function addFrame(app: FastifyInstance, { config, clock, database, errors, credentials }: AppOptions): Promise<void> {
  const { prefix, https } = config;
  const assets = new Assets(PUBLIC_FOLDER);
  await app.register(cookie);
  await app.register(formbody, { parser: readFields });
  takeMultipartForms(app);
  addShell(app, { prefix, https, open: credentials === undefined, assets });
  addSecurityHeaders(app, { prefix, https });
  addErrorHandler(app, errors, tellOutage);
  requireOneHost(app);
  addNotFound(app);
  rememberRequest(app);
  reportUntrustedProxies(app, { trusted: config.values.TRUST_PROXY, clock });
  const cookies = { prefix, https, secret: await sessionKey(database, clock) };
  const failures = failureStore(database, clock, "people");
  const port = rememberPort(app, config.values.PORT);
  const isOwn = (origin: string, request: FastifyRequest) => isOwnOrigin(origin, request, config.values.PUBLIC_URL);
  addAccess(app, { credentials, hash: hashSecret, clock, failures, cookies, port, isOwnOrigin: isOwn });
  addSessions(app, { store: sessionStore(database), clock, ...cookies });
  addCsrfCheck(app, isOwn);
  addConditionalAnswers(app);
  addCompression(app);
  assets.register(app);
}

function readFields(body: string): Record<string, unknown> {
  return parse(body, "&", "=", { maxKeys: MOST_FIELDS });
}

async function addModule(scope: FastifyInstance, module: Module, services: Services): Promise<void> {
  scope.addHook("onRoute", (route) => {
    (route.config ??= {}).module = module.name;
  });
  await module.register(scope, services);
}

/** The real port, which differs from the setting when that is 0. */
function rememberPort(app: FastifyInstance, setting: number): () => number {
  let port = setting;
  app.server.on("listening", () => ({ port } = app.server.address() as AddressInfo));
  return () => port;
}
