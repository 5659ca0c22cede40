import type { FastifyInstance, RouteOptions } from "fastify";
import type { Clock } from "../clock.ts";
import type { Access, TokenRule } from "./any-route.ts";
import { METHODS } from "./node-http.ts";
import { isRoutable } from "./target.ts";

/** How many durations of a route make its p95. */
const DURATIONS_KEPT = 256;

/** One route as the router knows it; `path` has its parameters in braces, as `/property/{code}`. */
export type KnownRoute = {
  methods: readonly string[];
  path: string;
  about: string;
  /** Where it is registered, such as `src/modules/rates/routes.ts:12`. */
  place: string;
  /** The folder of `src/modules/` that answers, or `web` for the frame itself. */
  module: string;
  access: Access;
  /** Which POSTs need a form token; undefined where nothing can be posted. */
  token: TokenRule | undefined;
  hits: number;
  lastHitAt: number | undefined;
  /** Milliseconds within which 95 of 100 of the last requests were answered. */
  p95: number | undefined;
};

/** The route that answers a method and path, with its parameters. */
export type RouteMatch = { route: KnownRoute; params: Readonly<Record<string, string>> };

/** Every route of this process with its use, taken from the router itself. */
export class RouteRegistry {
  readonly #entries: Entry[] = [];
  readonly #byMethod = new Map<string, Map<string, Entry>>();
  readonly #app: Pick<FastifyInstance, "findRoute">;

  constructor(app: Pick<FastifyInstance, "findRoute">) {
    this.#app = app;
  }

  /** The HEAD that Fastify adds to each GET is kept with it. */
  add(options: RouteOptions & { url: string }): void {
    const methods = [options.method].flat();
    const own = methods.length === 1 && methods[0] === "HEAD" ? this.#find("GET", options.url) : undefined;
    const entry = own ?? new Entry(options);
    if (own === undefined) this.#entries.push(entry);
    for (const method of methods) this.#keep(method, entry);
  }

  list(): KnownRoute[] {
    return this.#entries.map((entry) => entry.describe());
  }

  /** Which route answers; undefined when none does. `path` is as a browser sends it. */
  match(method: string, path: string): RouteMatch | undefined {
    if (path.includes("?") || (path !== "/" && !isRoutable(path))) return undefined;
    const found = this.#app.findRoute({ method, url: path }) as { params?: Record<string, string> } | null;
    if (!found?.params) return undefined;
    const params = { ...found.params };
    const wanted = decodeURIComponent(path);
    const entry = this.#entries.find((one) => one.methods.has(method) && one.filled(params) === wanted);
    return entry && { route: entry.describe(), params };
  }

  /** Counts one answered request. */
  hit(request: { method: string; url: string }, now: number, duration: number): void {
    this.#find(request.method, request.url)?.hit(now, duration);
  }

  #find(method: string, url: string): Entry | undefined {
    return this.#byMethod.get(method)?.get(url);
  }

  #keep(method: string, entry: Entry): void {
    entry.methods.add(method);
    this.#byMethod.getOrInsertComputed(method, () => new Map<string, Entry>()).set(entry.url, entry);
  }
}

/** Collects every route that is registered from now on, and counts its requests. Comes before everything that registers routes. */
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

class Entry {
  readonly url: string;
  readonly methods = new Set<string>();
  readonly #options: RouteOptions;
  readonly #place = placeOfCaller();
  readonly #durations: number[] = [];
  #hits = 0;
  #lastHitAt: number | undefined;

  constructor(options: RouteOptions & { url: string }) {
    this.url = options.url;
    this.#options = options;
  }

  hit(now: number, duration: number): void {
    this.#durations[this.#hits % DURATIONS_KEPT] = duration;
    this.#hits++;
    this.#lastHitAt = now;
  }

  /** The path that these parameters would give. */
  filled(params: Readonly<Record<string, string>>): string | undefined {
    const names = this.url.match(PARAMETER) ?? [];
    if (names.length !== Object.keys(params).length) return undefined;
    return this.url.replaceAll(PARAMETER, (name) => params[name.replace(/^:/, "")] ?? "");
  }

  describe(): KnownRoute {
    const { about = "", module, access = "viewer", token = "always" } = this.#options.config ?? {};
    return {
      methods: this.methods.size === METHODS.length ? ["any"] : [...this.methods],
      path: this.url.replaceAll(/:(\w+)/g, "{$1}"),
      about,
      place: this.#place,
      module: module ?? "web",
      access,
      token: this.methods.has("POST") ? token : undefined,
      hits: this.#hits,
      lastHitAt: this.#lastHitAt,
      p95: percentile95(this.#durations),
    };
  }
}

/** Frames from a module down to here: the router's, and those that register for others. */
const DEEPEST = 40;
const PASSED_ON = /\/src\/(?:web\/(?:route-registry|any-route)\.ts|grid\/)/;

/** The line of the source that registers a route, found on the stack. */
function placeOfCaller(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = DEEPEST;
  const frames = new Error("registered").stack?.split("\n") ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const caller = frames.find((frame) => frame.includes("/src/") && !frame.includes("/node_modules/") && !PASSED_ON.test(frame));
  return /(src\/[^/:]+\/[^:]*:\d+):\d+\)?$/.exec(caller ?? "")?.[1] ?? "";
}

const PARAMETER = /:\w+|\*/g;

function percentile95(durations: readonly number[]): number | undefined {
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1];
}
