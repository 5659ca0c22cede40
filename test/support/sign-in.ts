import type { LightMyRequestResponse } from "fastify";
import { hashPassword } from "../../src/access/password-hash.ts";
import { createPerson } from "../../src/access/people.ts";
import { acceptInvitation } from "../../src/access/person-changes.ts";
import type { Role } from "../../src/web/guard/user.ts";
import type { AppOverrides, TestApp, Visitor } from "./app.ts";

export const ADMIN_PASSWORD = "correct-horse-battery";
export const VIEWER_PASSWORD = "only-for-looking";

export const TWO_ROLES = { NODE_ENV: "production", ADMIN_PASSWORD, VIEWER_PASSWORD };

export const PERSON_PASSWORD = "quiet meadow 27 lanterns";

/** Creates a named user whose password is `PERSON_PASSWORD`. */
export async function addPerson({ database, clock }: TestApp, name: string, role: Role): Promise<void> {
  const by = { actor: "test", at: clock.now() };
  const secret = await createPerson(database, { name, role }, by);
  await acceptInvitation(database, { secret: secret!, password: await hashPassword(PERSON_PASSWORD) }, by);
}

type SignIn = { name?: string; password?: string; back?: string; headers?: Record<string, string> };

/** Signs in with the form, in a new browser. */
export async function signInByForm(service: TestApp, form: SignIn = {}): Promise<{ visitor: Visitor; response: LightMyRequestResponse }> {
  const { name = "admin", password = name === "admin" ? ADMIN_PASSWORD : PERSON_PASSWORD, back = "/property", headers = {} } = form;
  const visitor = service.visitor();
  await visitor.get(back, headers);
  const response = await visitor.post("/", { action: "sign-in", name, password, back }, headers);
  return { visitor, response };
}

export function basic(password: string, user = "admin"): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** Posts a form without a CSRF token, as a program with a Bearer token would. */
export function postForm(
  service: TestApp,
  url: string,
  { fields, headers }: { fields: Readonly<Record<string, string>>; headers: Readonly<Record<string, string>> },
): Promise<LightMyRequestResponse> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return service.inject({ method: "POST", url, headers: { ...type, ...headers }, payload: new URLSearchParams(fields).toString() });
}

type Line = Record<string, unknown>;

export function keepLog(): { logger: AppOverrides["logger"]; lines: Line[] } {
  const lines: Line[] = [];
  return { lines, logger: { level: "info", stream: { write: (line: string) => lines.push(JSON.parse(line) as Line) } } };
}
