import type { LightMyRequestResponse } from "fastify";
import type { AppOverrides, TestApp } from "./app.ts";

export const ADMIN_PASSWORD = "correct-horse-battery";
export const VIEWER_PASSWORD = "only-for-looking";

/** Settings of a service that tells viewers from administrators. */
export const TWO_ROLES = { NODE_ENV: "production", ADMIN_PASSWORD, VIEWER_PASSWORD };

/** The header of HTTP Basic. */
export function basic(password: string, user = "admin"): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** Sends a form without its token, as a program may with a Bearer token. */
export function postForm(
  service: TestApp,
  url: string,
  { fields, headers }: { fields: Readonly<Record<string, string>>; headers: Readonly<Record<string, string>> },
): Promise<LightMyRequestResponse> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return service.inject({ method: "POST", url, headers: { ...type, ...headers }, payload: new URLSearchParams(fields).toString() });
}

type Line = Record<string, unknown>;

/** A process log whose lines are kept, for `startApp`. */
export function keepLog(): { logger: AppOverrides["logger"]; lines: Line[] } {
  const lines: Line[] = [];
  return { lines, logger: { level: "info", stream: { write: (line: string) => lines.push(JSON.parse(line) as Line) } } };
}
