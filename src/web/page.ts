import type { FastifyReply } from "fastify";
import { type Html, toText } from "./html.ts";
import { layout, type Shell } from "./layout.ts";
import { withoutActions } from "./parts/for-admins.ts";

/** What a page function answers: everything but the frame around it. */
export type Page = {
  /** The h1, and the start of the document's title. */
  title: string;
  /** The page's subject, only for the document's title: it tells windows and bookmarks of a page apart. */
  of?: string;
  main: Html;
  /** Name of the module whose entry in the navigation is marked. */
  section?: string;
  /** 200 when absent, 422 for a refused form. */
  status?: number;
  /** The form was refused: the document's title starts with "Error:". */
  refused?: boolean;
  /** One sentence under the h1. */
  lead?: string;
  /** Links or buttons beside the h1. */
  actions?: Html;
  /** Uses the whole width: grids and wide tables. */
  wide?: boolean;
};

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
