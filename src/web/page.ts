import type { FastifyReply } from "fastify";
import { toText } from "./html.ts";
import { layout, type Page, type Shell } from "./layout.ts";
import { withoutActions } from "./parts/for-admins.ts";

export type { Page } from "./layout.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the frame around a page needs of the request. */
    shell: Shell;
  }
}

/**
 * Answers a page in the frame; one that refuses something leaves it to the next page to tell what was saved before.
 * An address that chooses colours leads to the one without, which can be passed on and gone back to.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { shell, role, method, untrustedProxy } = reply.request;
  const looked = method === "GET" || method === "HEAD";
  if (shell.uncoloured !== undefined && looked && page.status === undefined) return seeOther(reply, { text: shell.uncoloured });
  const flash = page.status === undefined && !page.refused ? shell.takeFlash() : undefined;
  reply.code(page.status ?? (page.refused ? 422 : 200)).type("text/html; charset=utf-8");
  const tagged = reply.request.routeOptions.config.etag && page.status === undefined && flash === undefined;
  reply.header("vary", "accept, accept-encoding").header("cache-control", tagged ? "private, no-cache" : "no-store");
  const document = toText(layout(page, shell, { flash, untrustedProxy: role === "admin" ? untrustedProxy : undefined }), shell.prefix);
  return reply.send(role === "viewer" ? withoutActions(document) : document);
}

/** Answers 303, so that a browser asks for `location` with GET; `flash` is shown there once. */
export function seeOther(reply: FastifyReply, location: { text: string }, flash?: string): FastifyReply {
  if (flash !== undefined) reply.request.session?.setFlash(flash);
  return reply
    .code(303)
    .header("location", reply.request.shell.prefix + location.text)
    .send();
}
