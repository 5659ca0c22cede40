/** Viewers look at everything but change nothing; administrators act. */
export type Role = "viewer" | "admin";

/** Who makes a request; the audit names them so. */
export type User = { name: string; role: Role };

/** Of who acts where no credential is asked for; nobody else is called so. */
export const OPEN_USER: User = { name: "open", role: "admin" };

const NAME = /^\P{Cc}{1,100}$/u;

/** A name that can be shown and stored, and is not the one of open access. */
export function isName(text: string | undefined): text is string {
  return text !== undefined && NAME.test(text) && text !== OPEN_USER.name;
}
