import { html } from "../../web/html.ts";
import { EMPTY_XML, HttpException, NotFoundException, ValueError } from "../../web/http-error.ts";

/** Test errors that an operator can raise to try the error log. */
export const RAISERS: Readonly<Record<string, { about: string; raise(): void }>> = {
  "not-found": { about: "a missing record", raise: raiseNotFound },
  http: { about: "a conflict (HTTP 409)", raise: raiseHttp },
  template: { about: "null in a template", raise: raiseTemplate },
  value: { about: "an empty document passed to the XML loader", raise: raiseValue },
  unexpected: { about: "a bug in the code", raise: raiseUnexpected },
};

export function raise(kind: string): void {
  if (Object.hasOwn(RAISERS, kind)) RAISERS[kind]?.raise();
}

function raiseNotFound(): never {
  throw new NotFoundException("Record 'raised-at-/dev' not found");
}

function raiseHttp(): never {
  throw new HttpException(409, "Test error raised at /dev");
}

function raiseTemplate(): never {
  const absent = null as unknown as string;
  // The template itself throws.
  throw new Error(`A null was rendered as ${html`<p>${absent}</p>`.text}`);
}

function raiseValue(): never {
  throw new ValueError(EMPTY_XML);
}

function raiseUnexpected(): void {
  const rooms = JSON.parse("null") as { count: number };
  rooms.count += 1;
}
