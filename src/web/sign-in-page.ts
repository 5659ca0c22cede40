import type { FastifyRequest } from "fastify";
import { actionOf } from "./any-route.ts";
import { readTyped } from "./form.ts";
import { html, nothing } from "./html.ts";
import type { Page } from "./page.ts";
import { hiddenFields, tokenField } from "./parts/fields.ts";
import { path } from "./path.ts";

type SignInView = { token: string; message: string; request: FastifyRequest; status: number };

/** In the query after signing out, so that the form says so. */
export const SIGNED_OUT = "signed-out";

/** The form for visitors who are not signed in. Without scripts, and with the names that password managers look for. */
export function signInPage({ token, message, request, status }: SignInView): Page {
  const isRetry = actionOf(request) === "sign-in";
  const { name = "", back = "" } = readTyped(request.body);
  const hasSignedOut = SIGNED_OUT in (request.query as object);
  const pageAsked = hasSignedOut ? "/" : request.url;
  const text = hasSignedOut ? "You are signed out." : message;
  return {
    title: "Sign in",
    status,
    refused: isRetry,
    signedOut: true,
    main: html`<p class="${isRetry ? "notice bad" : "lead"}" ${isRetry ? html`role="alert"` : nothing}>${text}</p>
      <form method="post" action="${path`/`}" class="panel">
        ${tokenField(token)} ${hiddenFields({ back: isRetry ? back : pageAsked })}
        <div class="field">
          <label for="f-name">User name</label>
          <input
            id="f-name"
            name="name"
            type="text"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            required
            value="${name}"
            ${name === "" ? html`autofocus` : nothing}
          />
        </div>
        <div class="field">
          <label for="f-password">Password</label>
          <input
            id="f-password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            ${name === "" ? nothing : html`autofocus`}
          />
        </div>
        <p class="actions"><button type="submit" class="primary" name="action" value="sign-in">Sign in</button></p>
      </form>`,
  };
}
