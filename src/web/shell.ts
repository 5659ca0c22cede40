import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Assets } from "./assets.ts";
import type { Shell, Theme } from "./layout.ts";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const YEAR_SECONDS = 31_536_000;

export type ShellOptions = { prefix: string; open: boolean; https: boolean; assets: Assets };

/** Gives each request what the frame around a page shows, and answers `?theme=` with a cookie. */
export function addShell(app: FastifyInstance, options: ShellOptions): void {
  const { prefix, open } = options;
  const same = { prefix, open, asset: (file: string) => options.assets.path(file) };
  app.decorateRequest("shell");
  app.addHook("onRequest", (request, reply, done) => {
    const chosen = themeOf((request.query as Record<string, unknown>).theme);
    if (chosen) reply.setCookie("theme", chosen, { path: prefix || "/", maxAge: YEAR_SECONDS, sameSite: "lax", secure: options.https });
    request.shell = shellOf(request, chosen ?? themeOf(request.cookies.theme) ?? "auto", same);
    if (chosen) request.shell.uncoloured = withoutTheme(request.url);
    done();
  });
}

type Same = Pick<Shell, "prefix" | "open" | "asset">;

function shellOf(request: FastifyRequest, theme: Theme, { prefix, open, asset }: Same): Shell {
  return {
    prefix,
    theme,
    open,
    path: request.originalUrl,
    asset,
    takeFlash: () => (request.method === "HEAD" ? undefined : request.session?.takeFlash()),
  };
}

function withoutTheme(target: string): string {
  const [, path = "", query] = /^([^?]*)\??(.*)/.exec(target) ?? [];
  const search = new URLSearchParams(query);
  search.delete("theme");
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function themeOf(value: unknown): Theme | undefined {
  return THEMES.find((theme) => theme === value);
}
