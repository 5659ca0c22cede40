import { isGuessable } from "../../../passwords.ts";
import { type Faults, readRaw } from "../../../web/form.ts";
import { type Html, html } from "../../../web/html.ts";
import { type FormState, passwordField } from "../../../web/parts/fields.ts";

const MAX_PASSWORD_LENGTH = 200;

/** Reads the fields of `newPasswordFields`. Logs mask them because of their names. */
export function readNewPassword(body: unknown): { password: string; faults: Faults } {
  const password = readRaw(body, "password");
  if (isGuessable(password))
    return { password, faults: { password: "Use at least 12 characters, and not a common password or a simple pattern" } };
  if (password.length > MAX_PASSWORD_LENGTH) return { password, faults: { password: `Use at most ${MAX_PASSWORD_LENGTH} characters` } };
  if (password !== readRaw(body, "repeatPassword"))
    return { password, faults: { repeatPassword: "The passwords do not match. Enter the same one twice." } };
  return { password, faults: {} };
}

export function newPasswordFields(faults: Faults): Html {
  const formState: FormState = { typed: {}, faults };
  return html`${passwordField(formState, {
    name: "password",
    label: "New password",
    hint: "At least 12 characters. Several unrelated words work well.",
    required: true,
    autocomplete: "new-password",
  })}
  ${passwordField(formState, { name: "repeatPassword", label: "Repeat the new password", required: true, autocomplete: "new-password" })}`;
}
