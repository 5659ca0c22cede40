import type { FastifyReply, FastifyRequest } from "fastify";
import { mayAct } from "./any-route.ts";
import { signOutToken } from "./guard/csrf.ts";
import { OPEN_USER, type Role } from "./guard/user.ts";
import { type Html, toText } from "./html.ts";
import { layout, type Page } from "./layout.ts";
import { withoutActions } from "./parts/if-allowed.ts";
import { replicaNote } from "./replica-reading.ts";
import type { PageReader, PageShell } from "./top-bar.ts";

export type { Page } from "./layout.ts";

declare module "fastify" {
  interface FastifyRequest {
    shell: PageShell;
  }
}

/**
 * Sends a page. A refused request keeps the flash message for the next page. If the URL contains a theme, redirects to the same URL without
 * it.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { shell, method, untrustedProxy } = reply.request;
  const isRead = method === "GET" || method === "HEAD";
  if (shell.targetWithoutTheme !== undefined && isRead && page.status === undefined)
    return seeOther(reply, { text: shell.targetWithoutTheme });
  const flash = page.status === undefined && !page.refused ? shell.takeFlash() : undefined;
  reply.code(page.status ?? (page.refused ? 422 : 200)).type("text/html; charset=utf-8");
  const hasEtag = reply.request.routeOptions.config.etag && page.status === undefined && flash === undefined;
  reply.header("vary", "accept, accept-encoding").header("cache-control", hasEtag ? "private, no-cache" : "no-store");
  const reader = pageReader(reply.request);
  const role = reply.request.role ?? shownRole(reply.request);
  const proxy = role === "admin" ? untrustedProxy : undefined;
  const context = { flash, reader, role, untrustedProxy: proxy, note: replicaNote(reply.request) };
  const document = toText(layout(page, shell, context), { prefix: shell.prefix, now: shell.now() });
  return reply.send(mayAct(reply.request) ? document : withoutActions(document));
}

/** Sends part of a page, for a script to insert. */
export function sendPart(reply: FastifyReply, part: Html): FastifyReply {
  const { shell } = reply.request;
  const text = toText(part, { prefix: shell.prefix, now: shell.now() });
  reply.type("text/html; charset=utf-8").header("cache-control", "no-store");
  return reply.send(mayAct(reply.request) ? text : withoutActions(text));
}

/** Returns the signed-in user, who is also shown on pages that need no sign-in. */
function pageReader(request: FastifyRequest): PageReader | undefined {
  const { user = request.session?.person } = request;
  if (user === undefined || ("kind" in user && user.kind === "open")) return undefined;
  return { name: user.name, role: user.role, signOutToken: signOutToken(request) };
}

/** Returns the role whose pages the navigation lists, on a page that needs no sign-in. */
function shownRole({ session, openAccess }: FastifyRequest): Role | undefined {
  return session?.person?.role ?? (openAccess ? OPEN_USER.role : undefined);
}

/** Redirects with 303, so that the browser continues with GET. The next page shows `flash` once. */
export function seeOther(reply: FastifyReply, location: { text: string }, flash?: string): FastifyReply {
  if (flash !== undefined) reply.request.session?.setFlash(flash);
  return reply
    .code(303)
    .header("location", reply.request.shell.prefix + location.text)
    .send();
}
