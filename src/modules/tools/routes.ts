import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listTokens } from "../../access/tokens.ts";
import { DAY_MS } from "../../calendar/night.ts";
import { type RowCount } from "../../db/listing.ts";
import { countDaysBehind } from "../../db/pruning-time.ts";
import { createAudit, searchAudit } from "../../records/audit.ts";
import { countTotals } from "../../records/counts.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { hasRole } from "../../web/guard/user.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import { errorMessage } from "../../web/http-error.ts";
import { sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../web/page.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { pruningNotice } from "../../web/parts/notices.ts";
import { path } from "../../web/path.ts";
import { type Module } from "../module.ts";
import { watchLoop } from "./pages/phpinfo.ts";
import { addAccountPage } from "./people/account.ts";
import { addInvitationPage } from "./people/invitation.ts";
import { addUserPage } from "./people/user.ts";
import { addUsersPage, usersCard } from "./people/users.ts";
import { toDate, type Tool, type ToolContext, type ToolDeps, toolPage, type ToolResult } from "./tool.ts";
import { makeTools } from "./tools.ts";

export const toolsModule: Module<ToolDeps> = {
  name: "tools",
  about: "For operators: routes, modules, caches, settings, runtime, request and database schema.",
  tables: ["audit"],
  uses: [],
  register(app, services) {
    const loop = watchLoop();
    app.addHook("onClose", async () => loop.stop());
    const tools = makeTools(services, () => loop.read());
    const cards = [errorsCard, usersCard, tokensCard, auditCard, ...tools];
    addUsersPage(app, services);
    addUserPage(app, services);
    addAccountPage(app, services);
    addInvitationPage(app, services);
    addAnyRoute(app, { url: "/tools", about: "tools index", acts: "admin" }, (_request, reply) => sendIndex(services, cards, reply));
    for (const tool of tools) registerTool(app, tool, services);
  },
};

async function sendIndex(services: ToolDeps, tools: readonly CardSource[], reply: FastifyReply): Promise<FastifyReply> {
  const visibleTools = tools.filter(({ access }) => hasRole(reply.request.role, access ?? "viewer"));
  const cards = await indexCards(visibleTools, services);
  if (wantsJson(reply.request)) return sendJson(reply, cards);
  return sendPage(reply, indexPage(cards, await countDaysBehind(services.database, services.clock.now())));
}

function registerTool(app: FastifyInstance, tool: Tool, services: ToolDeps): void {
  const { slug, about, access = "viewer" } = tool;
  addAnyRoute(app, { url: `/tools/${slug}`, about, access, acts: "admin" }, async (request, reply) => {
    const context = { services, request, reply, query: readTyped(request.query), form: readTyped(request.body) };
    const action = findAction(tool, request);
    return action ? finishAction(tool, context, await action(context)) : showTool(tool, context);
  });
}

function findAction({ actions = {} }: Tool, request: FastifyRequest) {
  const name = actionOf(request);
  return name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
}

async function finishAction(tool: Tool, context: ToolContext, result: ToolResult): Promise<FastifyReply> {
  const { services, request, reply, form } = context;
  if (!result.done) return showTool(tool, context, result.reason);
  const entry = { ...request.by, at: services.clock.now(), action: form.action ?? "", subject: `tool:${tool.slug}` };
  await createAudit(services.database.write, { ...entry, changes: result.changes });
  return wantsJson(request) ? sendJson(reply, await tool.view(context)) : seeOther(reply, path`/tools/${tool.slug}`, result.flash);
}

async function showTool(tool: Tool, context: ToolContext, refusal?: string): Promise<FastifyReply> {
  const { request, reply } = context;
  const view = await tool.view(context);
  if (wantsJson(request)) return refusal === undefined ? sendJson(reply, view) : sendJson(reply.code(409), { refused: refusal, view });
  const token = tool.actions ? await formToken(reply) : "";
  return sendPage(reply, toolPage(tool, { view, content: tool.page(view, token), refusal, query: context.query }));
}

export type ToolCard = Pick<Tool, "slug" | "access" | "title" | "about"> & { status: string; lastUse: Date | undefined };

export type CardSource = Pick<Tool, "slug" | "access" | "title" | "about" | "status">;

export const errorsCard: CardSource = {
  slug: "errors",
  title: "Error log",
  about: "Unhandled errors from the service and from browsers, newest first.",
  async status({ database, clock, errors }) {
    const now = clock.now();
    const { openGroups: groups, errors: entries } = await countTotals(database, now - DAY_MS, now);
    const skippedCount = (await errors.listSkipped()).reduce((sum, { count }) => sum + count, 0);
    const counts = `${countText(groups)} open ${groups.total === 1 ? "group" : "groups"}, ${countText(entries)} in the last 24 hours`;
    return skippedCount === 0 ? counts : `${counts}; ${formatNumber(skippedCount)} skipped`;
  },
};

export const auditCard: CardSource = {
  slug: "audit",
  access: "admin",
  title: "Audit log",
  about: "All changes and sign-ins, with user, IP address and time.",
  async status({ database }) {
    const [last] = await searchAudit(database, { events: "changes" }, 1);
    return last === undefined ? "no changes" : `last change by ${last.actor}`;
  },
};

export const tokensCard: CardSource = {
  slug: "tokens",
  access: "admin",
  title: "API tokens",
  about: "Control which programs can access the API.",
  async status({ database, clock }) {
    const now = clock.now();
    const activeTokens = (await listTokens(database)).filter(
      ({ revokedAt, expiresAt }) => revokedAt === undefined && (expiresAt ?? now + 1) > now,
    );
    return activeTokens.length === 0 ? "none" : formatCount(activeTokens.length, "active token");
  },
};

function countText({ total, exact }: RowCount): string {
  return `${formatNumber(total)}${exact ? "" : "+"}`;
}

/** Renders the index. If a tool's status can't be determined, its card shows the reason. */
export function indexCards(tools: readonly CardSource[], services: ToolDeps): Promise<ToolCard[]> {
  const lastUses = new Map(services.routes.list().map((route) => [route.path, route.lastHitAt]));
  return Promise.all(
    tools.map(async ({ slug, access, title, about, status }) => {
      return { slug, access, title, about, status: await safeStatus(status, services), lastUse: toDate(lastUses.get(`/tools/${slug}`)) };
    }),
  );
}

async function safeStatus(status: Tool["status"], services: ToolDeps): Promise<string> {
  try {
    return await status(services);
  } catch (error) {
    return `unknown: ${errorMessage(error)}`;
  }
}

export function indexPage(cards: readonly ToolCard[], pruningBehindDays: number): Page {
  return {
    title: "Tools",
    wide: true,
    lead: "Inspect and maintain this service.",
    actions: html`<a class="button" href="?format=json">JSON</a> <button type="button" data-copy="copy-text">Copy as JSON</button>`,
    main: html`${pruningNotice(pruningBehindDays)}
      <ul class="cards">
        ${mapHtml(cards, cardItem)}
      </ul>
      <details>
        <summary>This page as JSON</summary>
        <pre id="copy-text" tabindex="0">${JSON.stringify(cards, undefined, 2)}</pre>
      </details>`,
  };
}

function cardItem({ slug, title, about, status, lastUse }: ToolCard): Html {
  return html`<li>
    <h2><a href="${path`/tools/${slug}`}">${title}</a></h2>
    <p>${about}</p>
    <p><strong>${status}</strong></p>
    ${lastUse === undefined ? emptyHtml : html`<p class="muted">Last opened ${relativeMoment(lastUse.getTime())}</p>`}
  </li>`;
}
