import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { ErrorLog } from "../../errors/recorder.ts";
import type { FieldChange } from "../../records/audit.ts";
import type { Caches } from "../../web/caches.ts";
import type { Typed } from "../../web/form.ts";
import type { Html } from "../../web/html.ts";
import type { RouteRegistry } from "../../web/route-registry.ts";
import type { ModuleDescription } from "../module.ts";

/** What the tools show: all parts of the service. */
export type ToolNeeds = {
  config: Config;
  clock: Clock;
  database: Database;
  caches: Caches;
  errors: ErrorLog;
  routes: RouteRegistry;
  modules: readonly ModuleDescription[];
  loadTimes: ReadonlyMap<string, number>;
  startedAt: number;
};

/** What a tool page is made from. `query` and `form` hold text fields only. */
export type ToolContext = { services: ToolNeeds; request: FastifyRequest; reply: FastifyReply; query: Typed; form: Typed };

/** What a page shows below its h1. */
export type ToolContent = {
  main: Html;
  /** Text that the copy button puts on the clipboard; the view as JSON when absent. */
  copy?: { label: string; text: string };
};

/** What a posted action did, for the audit and for the person; a refusal changes nothing and is shown with status 409. */
export type ToolResult = { done: true; changes: readonly FieldChange[]; flash: string } | { done: false; reason: string };

/**
 * One page below `/tools`: a file in `pages/` and a line in `tools.ts`. Only a posted action changes anything.
 * `view` answers what can be sent as JSON, with times as `Date`; `page` is pure, `token` is for its forms.
 */
export type Tool<View = unknown> = {
  slug: string;
  /** Viewers see it when absent. */
  access?: "admin";
  title: string;
  about: string;
  /** A few words for the card on the index that tell whether there is something to do. Must be quick. */
  status(services: ToolNeeds): string | Promise<string>;
  view(context: ToolContext): View | Promise<View>;
  page(view: View, token: string): ToolContent;
  /** What a POST may ask for in its field `action`. */
  actions?: Readonly<Record<string, (context: ToolContext) => Promise<ToolResult>>>;
};

/** A time in milliseconds since 1970 as JSON shall tell it. */
export function dateOf(at: number | undefined): Date | undefined {
  return at === undefined ? undefined : new Date(at);
}
