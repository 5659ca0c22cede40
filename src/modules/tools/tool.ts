import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { ErrorLog } from "../../errors/recorder.ts";
import type { FieldChange } from "../../records/audit.ts";
import type { CacheRegistry } from "../../web/caches.ts";
import type { TypedValues } from "../../web/form.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { path, withQuery } from "../../web/path.ts";
import type { RouteRegistry } from "../../web/route-registry.ts";
import type { ModuleDescription } from "../module.ts";

export type ToolDeps = {
  config: Config;
  clock: Clock;
  database: Database;
  caches: CacheRegistry;
  errors: ErrorLog;
  routes: RouteRegistry;
  modules: readonly ModuleDescription[];
  loadTimes: ReadonlyMap<string, number>;
  startedAt: number;
  untrustedProxy(): string | undefined;
};

export type ToolContext = { services: ToolDeps; request: FastifyRequest; reply: FastifyReply; query: TypedValues; form: TypedValues };

export type ToolContent = {
  main: Html;
  copy?: { label: string; text: string };
};

/** `changes` are added to the audit log. A refusal changes nothing and has status 409. */
export type ToolResult = { done: true; changes: readonly FieldChange[]; flash: string } | { done: false; reason: string };

/** A page below `/tools`. `view` must be serialisable as JSON, with times as `Date`. `token` is for forms. */
export type Tool<View = unknown> = {
  slug: string;
  access?: "admin";
  title: string;
  about: string;
  /** A short text for the index, such as the number of problems. Must be fast. */
  status(services: ToolDeps): string | Promise<string>;
  view(context: ToolContext): View | Promise<View>;
  page(view: View, token: string): ToolContent;
  actions?: Readonly<Record<string, (context: ToolContext) => Promise<ToolResult>>>;
};

export function toDate(at: number | undefined): Date | undefined {
  return at === undefined ? undefined : new Date(at);
}

export type ShownTool = { view: unknown; content: ToolContent; refusal: string | undefined; query: TypedValues };

export function toolPage(tool: Tool, shown: ShownTool): Page {
  const { view, content, refusal, query } = shown;
  const copy = content.copy ?? { label: "JSON", text: JSON.stringify(view, undefined, 2) };
  return {
    title: tool.title,
    wide: true,
    lead: tool.about,
    ...(refusal === undefined ? {} : { status: 409, refused: true }),
    actions: html`<a class="button" href="${path`/tools`}">All tools</a>
      <a class="button" href="${withQuery(path`/tools/${tool.slug}`, { ...query, format: "json" })}">JSON</a>
      <button type="button" data-copy="copy-text">Copy as ${copy.label}</button>`,
    main: html`${refusal === undefined ? emptyHtml : html`<p class="notice bad" role="alert">${refusal}</p>`} ${content.main}
      <details>
        <summary>This page as ${copy.label}</summary>
        <pre id="copy-text" tabindex="0">${copy.text}</pre>
      </details>`,
  };
}
