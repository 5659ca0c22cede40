import type { Faults } from "../../../web/form.ts";
import { html } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { errorSummary, hiddenFields, textField, tokenField } from "../../../web/parts/fields.ts";
import { path } from "../../../web/path.ts";
import { newPasswordFields } from "./new-password.ts";

/** The form posts to this path. Without scripts, the URL of the page itself still ends in the secret, and redirects would keep it. */
const INVITATION_PATH = path`/tools/invitation`;

/** Shows the invitation. A script reads the secret from the URL and submits the form. */
export function invitationPage(token: string, fault?: string): Page {
  const faults: Faults = fault === undefined ? {} : { secret: fault };
  return {
    title: "Invitation",
    signedOut: true,
    refused: fault !== undefined,
    main: html`${errorSummary(faults)}
      <form method="post" action="${INVITATION_PATH}" class="panel" data-fragment="f-secret">
        ${tokenField(token)}
        ${textField({ typed: {}, faults }, { name: "secret", label: "Invitation code", hint: "The part of the link after the #", required: true })}
        <p class="actions"><button type="submit" class="primary" name="action" value="open">Continue</button></p>
      </form>`,
  };
}

type ChoosePassword = { name: string; secret: string; faults: Faults; token: string };

export function choosePasswordPage({ name, secret, faults, token }: ChoosePassword): Page {
  return {
    title: "Choose a password",
    signedOut: true,
    refused: Object.keys(faults).length > 0,
    main: html`${errorSummary(faults)}
      <form method="post" action="${INVITATION_PATH}" class="panel">
        ${tokenField(token)} ${hiddenFields({ secret })}
        <div class="field">
          <label for="f-username">User name</label>
          <input id="f-username" name="username" type="text" autocomplete="username" value="${name}" readonly />
        </div>
        ${newPasswordFields(faults)}
        <p class="actions"><button type="submit" class="primary" name="action" value="accept">Set password and sign in</button></p>
      </form>`,
  };
}
