import type { FastifyReply, FastifyRequest } from "fastify";
import { actionOf } from "../any-route.ts";
import { readRaw, readTyped } from "../form.ts";
import { AccessException } from "../http-error.ts";
import { isCrossSite } from "./csrf.ts";
import type { FormCookie } from "./form-cookie.ts";
import type { IsOwnOrigin } from "./origin.ts";
import { safeReturnPath } from "./return-path.ts";
import type { PasswordSignIn } from "./sign-in.ts";

type SignInFormOptions = { passwords: PasswordSignIn; isOwnOrigin: IsOwnOrigin; formCookie: FormCookie };

/** The sign-in form for browsers. It posts to `/`. */
export class SignInForm {
  readonly #options: SignInFormOptions;

  constructor(options: SignInFormOptions) {
    this.#options = options;
  }

  isSent(request: FastifyRequest): boolean {
    return actionOf(request) === "sign-in";
  }

  token(reply: FastifyReply): string {
    return this.#options.formCookie.token(reply);
  }

  /** Starts a session and returns the page to continue to. Throws an `AccessException` whose message is shown to the user. */
  async submit(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { name = "", back = "" } = readTyped(request.body);
    const { passwords, isOwnOrigin, formCookie } = this.#options;
    if (isCrossSite(request, isOwnOrigin) || !formCookie.hasToken(request))
      throw new AccessException(401, "This form is out of date, or your browser blocks cookies. Sign in again.");
    const user = await passwords.check({ name, secret: readRaw(request.body, "password") }, request, reply);
    await reply.signIn(user, user.kind === "shared" ? await passwords.tagOf(user.role) : undefined);
    return safeReturnPath(back);
  }
}
