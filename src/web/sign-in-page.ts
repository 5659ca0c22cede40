import type { FastifyRequest } from "fastify";
import { actionOf } from "./any-route.ts";
import { readTyped } from "./form.ts";
import { SingleSignOn } from "./guard/single-sign-on.ts";
import { type Html, html, emptyHtml } from "./html.ts";
import type { Page } from "./page.ts";
import { hiddenFields, tokenField } from "./parts/fields.ts";
import { path } from "./path.ts";

type SignInView = {
  token: string;
  message: string;
  request: FastifyRequest;
  status: number;
  /** Undefined if users can sign in only with a password. */
  singleSignOn: { failure: string | undefined } | undefined;
};

/** Query parameter that is set after signing out, so that the sign-in form can confirm it. */
export const SIGNED_OUT_PARAMETER = "signed-out";

/** The sign-in form for visitors. Works without scripts, and uses field names that password managers recognise. */
export function signInPage({ token, message, request, status, singleSignOn }: SignInView): Page {
  const isRetry = actionOf(request) === "sign-in";
  const { name = "", back = "" } = readTyped(request.body);
  const hasSignedOut = SIGNED_OUT_PARAMETER in (request.query as object);
  const requestedPage = hasSignedOut ? "/" : request.url;
  const failure = isRetry ? message : singleSignOn?.failure;
  const lead =
    failure === undefined
      ? html`<p class="lead">${hasSignedOut ? "You are signed out." : message}</p>`
      : html`<p class="notice bad" role="alert">${failure}</p>`;
  const target = isRetry ? back : requestedPage;
  return {
    title: "Sign in",
    status,
    refused: failure !== undefined,
    signedOut: true,
    main: html`${lead} ${singleSignOn ? singleSignOnLink(target) : emptyHtml}
      <form method="post" action="${path`/`}" class="panel">
        ${tokenField(token)} ${hiddenFields({ back: target })}
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
            ${name === "" ? html`autofocus` : emptyHtml}
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
            ${name === "" ? emptyHtml : html`autofocus`}
          />
        </div>
        <p class="actions"><button type="submit" class="primary" name="action" value="sign-in">Sign in</button></p>
      </form>`,
  };
}

/** Returns a link instead of a form, because the Content Security Policy blocks forms that redirect to a different host. */
function singleSignOnLink(back: string): Html {
  return html`<p class="actions"><a class="button" href="${SingleSignOn.link(back)}">Sign in with single sign-on</a></p>
    <p class="lead">Or sign in with a user name and password.</p>`;
}
