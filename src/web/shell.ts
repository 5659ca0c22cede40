import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import type { StaticAssets } from "./assets.ts";
import { type ColorTheme, THEMES } from "./top-bar.ts";

const YEAR_SECONDS = 31_536_000;

type ShellOptions = { prefix: string; open: boolean; https: boolean; assets: StaticAssets; clock: Clock };

export function addShell(app: FastifyInstance, { prefix, open, https, assets, clock }: ShellOptions): void {
  const asset = (file: string) => assets.path(file);
  app.decorateRequest("shell");
  app.addHook("onRequest", (request, reply, done) => {
    const chosenTheme = readTheme((request.query as Record<string, unknown>).theme);
    if (chosenTheme) reply.setCookie("theme", chosenTheme, { path: prefix || "/", maxAge: YEAR_SECONDS, sameSite: "lax", secure: https });
    request.shell = {
      prefix,
      theme: chosenTheme ?? readTheme(request.cookies.theme) ?? "auto",
      ...(chosenTheme && { targetWithoutTheme: withoutTheme(request.url) }),
      open,
      path: request.originalUrl,
      asset,
      now: () => clock.now(),
      takeFlash: () => (request.method === "HEAD" ? undefined : request.session?.takeFlash()),
    };
    done();
  });
}

function withoutTheme(target: string): string {
  const [, path = "", query] = /^([^?]*)\??(.*)/.exec(target) ?? [];
  const search = new URLSearchParams(query);
  search.delete("theme");
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function readTheme(value: unknown): ColorTheme | undefined {
  return THEMES.find((theme) => theme === value);
}
