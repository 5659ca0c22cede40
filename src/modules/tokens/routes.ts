import type { FastifyReply, FastifyRequest } from "fastify";
import { createToken, listTokens, revokeToken } from "../../access/tokens.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { findProperty } from "../../records/property/store.ts";
import { actionOf, addAnyRoute } from "../../web/any-route.ts";
import { readForm, readId, readTyped } from "../../web/form.ts";
import { formToken } from "../../web/guard/csrf.ts";
import { HttpException } from "../../web/http-error.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { wantsJson } from "../../web/negotiate.ts";
import { seeOther, sendPage } from "../../web/page.ts";
import { path } from "../../web/path.ts";
import type { Module } from "../module.ts";
import { EMPTY_TOKEN, TOKEN_WORDS, tokenForm } from "./form.ts";
import { createdPage, tokenJson, tokensPage } from "./page.ts";

type TokenDeps = { database: Database; clock: Clock };

export const tokensModule: Module<TokenDeps> = {
  name: "tokens",
  about: "API tokens, which control what programs may read and change.",
  tables: ["api_token"],
  uses: [],
  register(app, services) {
    const route = { url: "/tools/tokens", about: "API tokens", words: TOKEN_WORDS, access: "admin", acts: "admin" } as const;
    addAnyRoute(app, route, (request, reply) => {
      const action = actionOf(request);
      if (action === "create") return createFromForm(services, request, reply);
      if (action === "revoke") return submitRevocation(services, request, reply);
      return showTokens(services, reply, EMPTY_TOKEN);
    });
  },
};

async function showTokens({ database, clock }: TokenDeps, reply: FastifyReply, state: typeof EMPTY_TOKEN): Promise<FastifyReply> {
  const tokens = await listTokens(database);
  if (wantsJson(reply.request)) return sendJson(reply, { tokens: tokens.map((token) => tokenJson(token, clock.now())) });
  return sendPage(reply, tokensPage({ tokens, state, now: clock.now(), token: await formToken(reply) }));
}

/** Sends the token in the form's response instead of redirecting, because only its hash is stored. */
async function createFromForm(services: TokenDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { database, clock } = services;
  const form = readForm(tokenForm(clock.now()), request.body);
  const refuse = (faults: Readonly<Record<string, string>>) =>
    wantsJson(request) ? sendFaults(reply, faults) : showTokens(services, reply, { typed: form.typed, faults });
  if (!form.ok) return refuse(form.faults);
  const unknownProperty = await findUnknownProperty(database, form.value.properties ?? []);
  if (unknownProperty !== undefined) return refuse({ properties: `Property ${unknownProperty} does not exist` });
  const secret = await createToken(database, form.value, { ...request.by, at: clock.now() });
  if (secret === undefined) return refuse({ name: `Choose another name; token ${form.value.name} already exists` });
  if (wantsJson(request)) return sendJson(reply.code(201), { name: form.value.name, token: secret });
  return sendPage(reply, createdPage(form.value.name, secret));
}

async function findUnknownProperty(database: Database, properties: readonly string[]): Promise<string | undefined> {
  for (const code of properties) if (!(await findProperty(database, code))) return code;
  return undefined;
}

async function submitRevocation({ database, clock }: TokenDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id = "" } = readTyped(request.body);
  const name = await revokeToken(database, readId(id) ?? 0, { ...request.by, at: clock.now() });
  if (name === undefined) throw new HttpException(409, "This token does not exist or has already been revoked");
  return wantsJson(request) ? sendJson(reply, { name, revoked: true }) : seeOther(reply, path`/tools/tokens`, `Token ${name} was revoked.`);
}
