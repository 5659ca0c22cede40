import { html } from "../../web/html.ts";
import { EMPTY_XML, HttpException, NotFoundException, ValueError } from "../../web/http-error.ts";

/** One error of each kind, really thrown, so that an operator sees the error log at work. */
export const RAISERS: Readonly<Record<string, { about: string; raise(): void }>> = {
  "not-found": { about: "a record that does not exist", raise: raiseNotFound },
  http: { about: "a request that cannot be answered", raise: raiseHttp },
  template: { about: "a template that meets a null", raise: raiseTemplate },
  value: { about: "an empty text given to the XML loader", raise: raiseValue },
  unexpected: { about: "a fault of the program", raise: raiseUnexpected },
};

/** Throws the error of this kind; does nothing for a kind that there is not. */
export function raise(kind: string): void {
  if (Object.hasOwn(RAISERS, kind)) RAISERS[kind]?.raise();
}

function raiseNotFound(): never {
  throw new NotFoundException("Record 'raised-at-/dev' not found");
}

function raiseHttp(): never {
  throw new HttpException(409, "Raised at /dev: this request cannot be answered");
}

/** Rendering throws by itself. */
function raiseTemplate(): never {
  const absent = null as unknown as string;
  throw new Error(`A null was rendered as ${html`<p>${absent}</p>`.text}`);
}

function raiseValue(): never {
  throw new ValueError(EMPTY_XML);
}

function raiseUnexpected(): void {
  const rooms = JSON.parse("null") as { count: number };
  rooms.count += 1;
}
