import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { countDaysBehind } from "../../db/pruning-time.ts";
import { createAudit } from "../../records/audit.ts";
import { actionOf, anyRoute } from "../../web/any-route.ts";
import { readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { type CardSource, errorsCard, indexCards, indexPage } from "./index-page.ts";
import { watchLoop } from "./runtime.ts";
import { toolPage } from "./tool-page.ts";
import type { ToolNeeds, Tool, ToolContext, ToolResult } from "./tool.ts";
import { makeTools } from "./tools.ts";

export const toolsModule: Module<ToolNeeds> = {
  name: "tools",
  about: "What an operator looks at: routes, modules, caches, settings, the runtime, the request, the schema.",
  tables: ["audit"],
  uses: [],
  register(app, services) {
    const loop = watchLoop();
    app.addHook("onClose", async () => loop.stop());
    const tools = makeTools(services, () => loop.read());
    const cards = [errorsCard, ...tools];
    anyRoute(app, { url: "/tools", about: "tools index" }, (request, reply) => answerIndex({ services, tools: cards, request, reply }));
    for (const tool of tools) registerTool(app, tool, services);
  },
};

type IndexRequest = { services: ToolNeeds; tools: readonly CardSource[]; request: FastifyRequest; reply: FastifyReply };

async function answerIndex({ services, tools, request, reply }: IndexRequest): Promise<FastifyReply> {
  const cards = await indexCards(tools, services);
  if (wantsJson(request)) return sendJson(reply, cards);
  return sendPage(reply, indexPage(cards, await countDaysBehind(services.database, services.clock.now())));
}

function registerTool(app: FastifyInstance, tool: Tool, services: ToolNeeds): void {
  const { slug, about, access = "viewer" } = tool;
  anyRoute(app, { url: `/tools/${slug}`, about, access }, async (request, reply) => {
    const context = { services, request, reply, query: readTyped(request.query), form: readTyped(request.body) };
    const action = findAction(tool, request);
    return action ? act(tool, context, await action(context)) : show(tool, context);
  });
}

/** Undefined when the tool has no such action, which makes the request a plain view. */
function findAction({ actions = {} }: Tool, request: FastifyRequest) {
  const name = actionOf(request);
  return name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
}

/** Answers after an action: a client that wants JSON gets the new view at once. */
async function act(tool: Tool, context: ToolContext, result: ToolResult): Promise<FastifyReply> {
  const { services, request, reply, form } = context;
  if (!result.done) return show(tool, context, result.reason);
  const entry = { at: services.clock.now(), actor: request.actor, action: form.action ?? "", subject: `tool:${tool.slug}` };
  await createAudit(services.database.write, { ...entry, changes: result.changes });
  return wantsJson(request) ? sendJson(reply, await tool.view(context)) : seeOther(reply, path`/tools/${tool.slug}`, result.flash);
}

async function show(tool: Tool, context: ToolContext, refusal?: string): Promise<FastifyReply> {
  const { request, reply } = context;
  const view = await tool.view(context);
  if (wantsJson(request)) return refusal === undefined ? sendJson(reply, view) : sendJson(reply.code(409), { refused: refusal, view });
  const token = tool.actions ? await formToken(reply) : "";
  return sendPage(reply, toolPage(tool, { view, content: tool.page(view, token), refusal, query: context.query }));
}
