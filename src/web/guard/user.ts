import { isVisible } from "../../text.ts";

/** Viewers look at everything but change nothing; administrators act. */
export type Role = "viewer" | "admin";

/** Who makes a request; the audit names them so. */
export type User = { name: string; role: Role };

/** Of who acts where no credential is asked for; nobody else is called so. */
export const OPEN_USER: User = { name: "open", role: "admin" };

const LONGEST_NAME = 100;

/** A name that can be shown and stored in one line, and is not the one of open access. */
export function isName(text: string | undefined): text is string {
  return text !== undefined && text.length <= LONGEST_NAME && isVisible(text) && text !== OPEN_USER.name;
}
