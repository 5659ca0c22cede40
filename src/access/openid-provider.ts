import type * as OpenIdClient from "openid-client";
import type { Configuration, IDToken, TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type PendingSignIn, type ProviderCallback, type IdentityProvider, SignInRefusal } from "../web/guard/single-sign-on.ts";
import type { User } from "../web/guard/user.ts";
import { findClaim, type OpenIdClaims, hasRequiredAcr, nameCandidates, roleFromClaims, type RoleRules } from "./openid-claims.ts";
import { findOrCreateIdentity } from "./openid-people.ts";

export type OpenIdSettings = RoleRules & {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  scopes: readonly string[];
  requiredAcr: readonly string[];
};

type OpenIdDeps = { settings: OpenIdSettings; database: Database; clock: Clock };

/** The OpenID client library. It is loaded on the first sign-in to keep startup fast. */
type OpenId = typeof OpenIdClient;
type DiscoveredProvider = { openId: OpenId; provider: Configuration };
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

const REQUEST_TIMEOUT_SECONDS = 10;
const DISCOVERY_MAX_AGE_MS = 3_600_000;

/** An OpenID Connect provider. Its metadata is read on the first sign-in, so the service can start while the provider is down. */
export class OpenIdProvider implements IdentityProvider {
  readonly #needs: OpenIdDeps;
  #discovered: { at: number; result: Promise<DiscoveredProvider> } | undefined;

  constructor(needs: OpenIdDeps) {
    this.#needs = needs;
  }

  async begin(): Promise<PendingSignIn & { url: string }> {
    const { redirectUri, scopes, requiredAcr } = this.#needs.settings;
    const { openId, provider } = await this.#discover();
    const pendingSignIn = { state: openId.randomState(), nonce: openId.randomNonce(), verifier: openId.randomPKCECodeVerifier() };
    const url = openId.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: [...new Set(["openid", "profile", "email", ...scopes])].join(" "),
      state: pendingSignIn.state,
      nonce: pendingSignIn.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(pendingSignIn.verifier),
      code_challenge_method: "S256",
      ...(requiredAcr.length > 0 && { acr_values: requiredAcr.join(" ") }),
    });
    return { ...pendingSignIn, url: url.href };
  }

  async finish({ search, address }: ProviderCallback, pendingSignIn: PendingSignIn): Promise<User> {
    const { settings, database, clock } = this.#needs;
    const discovered = await this.#discover();
    const { token, claims } = await this.#readClaims(discovered, search, pendingSignIn).catch((error: unknown) => {
      throw toRefusal(error, discovered.openId);
    });
    if (!hasRequiredAcr(token, settings.requiredAcr)) {
      throw new SignInRefusal(
        "This service requires multi-factor authentication, but the identity provider did not confirm it for your sign-in. Set up a second factor there, then sign in again.",
        "neither acr nor amr of the ID token is listed in OIDC_REQUIRED_ACR",
      );
    }
    const identity = { subject: `${token.iss} ${token.sub}`, names: nameCandidates(claims), role: roleFromClaims(claims, settings) };
    return findOrCreateIdentity(database, identity, { at: clock.now(), kind: "person", address });
  }

  async #readClaims(
    { openId, provider }: DiscoveredProvider,
    search: string,
    pendingSignIn: PendingSignIn,
  ): Promise<{ token: IDToken; claims: OpenIdClaims }> {
    const callback = new URL(`${this.#needs.settings.redirectUri}${search}`);
    const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = pendingSignIn;
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    const tokens: Tokens = await openId.authorizationCodeGrant(provider, callback, checks);
    const token = tokens.claims()!;
    if (this.#isComplete(token) || provider.serverMetadata().userinfo_endpoint === undefined) return { token, claims: token };
    const userInfo = await openId.fetchUserInfo(provider, tokens.access_token, token.sub);
    return { token, claims: { ...userInfo, ...token } };
  }

  /** Returns whether an ID token contains the required claims. Some providers return most claims only from their userinfo endpoint. */
  #isComplete(token: IDToken): boolean {
    const { roleClaim } = this.#needs.settings;
    return nameCandidates(token).length > 0 && (roleClaim === undefined || findClaim(token, roleClaim) !== undefined);
  }

  /** Reads the provider's metadata. Concurrent callers share one request. A failed request is retried on the next call. */
  #discover(): Promise<DiscoveredProvider> {
    const now = this.#needs.clock.now();
    if (this.#discovered && Math.abs(now - this.#discovered.at) < DISCOVERY_MAX_AGE_MS) return this.#discovered.result;
    const result = discoverProvider(this.#needs.settings);
    this.#discovered = { at: now, result };
    result.catch(() => (this.#discovered = undefined));
    return result;
  }
}

async function discoverProvider({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<DiscoveredProvider> {
  const openId = await import("openid-client");
  const options = { timeout: REQUEST_TIMEOUT_SECONDS, ...(issuer.protocol === "http:" && { execute: [openId.allowInsecureRequests] }) };
  const basic = openId.ClientSecretBasic(clientSecret);
  const post = openId.ClientSecretPost(clientSecret);
  const authenticate: typeof basic = (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
  try {
    return { openId, provider: await openId.discovery(issuer, clientId, undefined, authenticate, options) };
  } catch (error) {
    const reason = `discovery at ${issuer.href} failed: ${describeError(error)}`;
    throw isUnreachable(error, openId) ? unavailableRefusal(reason) : new SignInRefusal(WRONG_ISSUER, reason);
  }
}

function unavailableRefusal(reason: string): SignInRefusal {
  return new SignInRefusal(
    "Single sign-on is not available, because the identity provider can't be reached. Try again later, or sign in with a password.",
    reason,
  );
}

const WRONG_ISSUER =
  "Single sign-on is not available, because OIDC_ISSUER doesn't point to an identity provider. Ask an administrator to check it.";

function isUnreachable(error: unknown, { ClientError }: OpenId): boolean {
  return error instanceof TypeError || (error instanceof ClientError && error.code === "OAUTH_TIMEOUT");
}

function toRefusal(error: unknown, openId: OpenId): SignInRefusal {
  const reason = describeError(error);
  if (error instanceof openId.AuthorizationResponseError) return new SignInRefusal(refusalText(error), reason);
  if (error instanceof openId.ResponseBodyError) return new SignInRefusal(bodyText(error.error), `${reason} (${error.error})`);
  if (error instanceof openId.WWWAuthenticateChallengeError && error.cause.every(({ scheme }) => scheme !== "bearer"))
    return new SignInRefusal(bodyText("invalid_client"), reason);
  if (isUnreachable(error, openId)) return unavailableRefusal(reason);
  return new SignInRefusal("The identity provider's response is not valid. Sign in again, or ask an administrator.", reason);
}

function refusalText({ error, error_description: description }: { error: string; error_description?: string }): string {
  const details = description === undefined ? error : `${error}: ${description}`;
  return `The identity provider refused the sign-in (${details.slice(0, 300)}).`;
}

function bodyText(code: string): string {
  if (code === "invalid_grant") return "This sign-in has already been used or has expired. Sign in again.";
  if (code === "invalid_client" || code === "unauthorized_client")
    return "The identity provider doesn't accept this service. Ask an administrator to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.";
  return `The identity provider refused the sign-in (${code.slice(0, 100)}).`;
}

/** Describes an error for the log. Uses only error messages, because other properties may contain tokens. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${describeError(error.cause)}` : error.message;
}
