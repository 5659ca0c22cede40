import type { FastifyInstance, RouteOptions } from "fastify";
import type { Clock } from "../clock.ts";
import type { RouteAccess, TokenRule } from "./any-route.ts";
import type { Role } from "./guard/user.ts";
import { METHODS } from "./node-http.ts";
import { isRoutable } from "./target.ts";

const MAX_KEPT_DURATIONS = 256;

/** `path` has parameters in braces, such as `/property/{code}`. */
export type KnownRoute = {
  methods: readonly string[];
  path: string;
  about: string;
  place: string;
  module: string;
  access: RouteAccess;
  /** The role required to make changes. */
  acts: Role;
  /** The POST requests that need a form token. Undefined if the route accepts no token. */
  token: TokenRule | undefined;
  hits: number;
  lastHitAt: number | undefined;
  /** 95th percentile of recent response times, in milliseconds. */
  p95: number | undefined;
};

export type RouteMatch = { route: KnownRoute; params: Readonly<Record<string, string>> };

export class RouteRegistry {
  readonly #entries: RegistryEntry[] = [];
  readonly #byKey = new Map<string, RegistryEntry>();
  readonly #app: Pick<FastifyInstance, "findRoute">;

  constructor(app: Pick<FastifyInstance, "findRoute">) {
    this.#app = app;
  }

  /** Treats the HEAD route that Fastify adds to each GET route as part of that route. */
  add(options: RouteOptions & { url: string }): void {
    const methods = [options.method].flat();
    const own = methods.length === 1 && methods[0] === "HEAD" ? this.#byKey.get(`GET ${options.url}`) : undefined;
    const entry = own ?? new RegistryEntry(options);
    if (own === undefined) this.#entries.push(entry);
    for (const method of methods) {
      entry.methods.add(method);
      this.#byKey.set(`${method} ${options.url}`, entry);
    }
  }

  list(): KnownRoute[] {
    return this.#entries.map((entry) => entry.describe());
  }

  match(method: string, path: string): RouteMatch | undefined {
    if (path.includes("?") || (path !== "/" && !isRoutable(path))) return undefined;
    const routeFound = this.#app.findRoute({ method, url: path }) as { params?: Record<string, string> } | null;
    if (!routeFound?.params) return undefined;
    const params = { ...routeFound.params };
    const decodedPath = decodeURIComponent(path);
    const entry = this.#entries.find((one) => one.methods.has(method) && one.fill(params) === decodedPath);
    return entry && { route: entry.describe(), params };
  }

  hit(request: { method: string; url: string }, now: number, duration: number): void {
    this.#byKey.get(`${request.method} ${request.url}`)?.hit(now, duration);
  }
}

export function addRouteRegistry(app: FastifyInstance, clock: Clock): RouteRegistry {
  const registry = new RouteRegistry(app);
  app.addHook("onRoute", (options) => registry.add(options));
  app.addHook("onResponse", (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url !== undefined) registry.hit({ method: request.method, url }, clock.now(), reply.elapsedTime);
    done();
  });
  return registry;
}

class RegistryEntry {
  readonly url: string;
  readonly methods = new Set<string>();
  readonly #options: RouteOptions;
  readonly #place = callerLocation();
  readonly #durations: number[] = [];
  #hits = 0;
  #lastHitAt: number | undefined;

  constructor(options: RouteOptions & { url: string }) {
    this.url = options.url;
    this.#options = options;
  }

  hit(now: number, duration: number): void {
    this.#durations[this.#hits % MAX_KEPT_DURATIONS] = duration;
    this.#hits++;
    this.#lastHitAt = now;
  }

  fill(params: Readonly<Record<string, string>>): string | undefined {
    const names = this.url.match(PARAMETER_PATTERN) ?? [];
    if (names.length !== Object.keys(params).length) return undefined;
    return this.url.replaceAll(PARAMETER_PATTERN, (name) => params[name.replace(/^:/, "")] ?? "");
  }

  describe(): KnownRoute {
    const { about = "", module, access = "viewer", acts = "editor", token = "always" } = this.#options.config ?? {};
    return {
      methods: this.methods.size === METHODS.length ? ["any"] : [...this.methods],
      path: this.url.replaceAll(/:(\w+)/g, "{$1}"),
      about,
      place: this.#place,
      module: module ?? "web",
      access,
      acts,
      token: this.methods.has("POST") ? token : undefined,
      hits: this.#hits,
      lastHitAt: this.#lastHitAt,
      p95: percentile95(this.#durations),
    };
  }
}

const MAX_STACK_FRAMES = 40;
/** Files that register routes on behalf of their callers. */
const INDIRECT_FRAME_PATTERN = /\/src\/(?:web\/(?:route-registry|any-route)\.ts|grid\/)/;

function callerLocation(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_STACK_FRAMES;
  const frames = new Error("registered").stack?.split("\n") ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const caller = frames.find(
    (frame) => frame.includes("/src/") && !frame.includes("/node_modules/") && !INDIRECT_FRAME_PATTERN.test(frame),
  );
  return /(src\/[^/:]+\/[^:]*:\d+):\d+\)?$/.exec(caller ?? "")?.[1] ?? "";
}

const PARAMETER_PATTERN = /:\w+|\*/g;

function percentile95(durations: readonly number[]): number | undefined {
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1];
}
