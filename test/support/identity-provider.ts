import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import Provider, { type Configuration, type KoaContextWithOIDC } from "oidc-provider";

export const CLIENT = { id: "roomrack", secret: "a secret with : and % for HTTP Basic" };

/** What the provider knows about a user. `acr` and `amr` describe the sign-in. */
export type Account = { claims: Record<string, unknown>; acr?: string; amr?: string[] };

export type IdentityProviderOptions = {
  redirectUri: string;
  accounts: Record<string, Account>;
  /** If false, the claims come from the userinfo endpoint, as the standard recommends. */
  claimsInIdToken?: boolean;
  /** The only authentication method that clients may use. */
  clientAuthentication?: "client_secret_basic" | "client_secret_post";
};

export type TestIdentityProvider = {
  issuer: string;
  accounts: Record<string, Account>;
  /** Settings for a service that uses this provider. */
  settings: Record<string, string>;
  /** Stops responding until `start` is called. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Signs in at the provider like a browser, and returns the final redirect URL. */
  signIn(authorizationUrl: string, account: string): Promise<string>;
};

const SIGNING_KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

const servers: Server[] = [];

after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a real provider whose sign-in page asks only for an account name. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<TestIdentityProvider> {
  const { redirectUri, accounts } = options;
  const server = createServer();
  servers.push(server);
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, configurationOf(options));
  server.on("request", answerWith(provider, options));
  const { id, secret } = CLIENT;
  return {
    issuer,
    accounts,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, PUBLIC_URL: redirectUri },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    start: () => listen(server, port),
    signIn: (authorizationUrl, account) => signIn(authorizationUrl, { account, issuer }),
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

function configurationOf(options: IdentityProviderOptions): Configuration {
  const { redirectUri, accounts, claimsInIdToken = true, clientAuthentication: method = "client_secret_basic" } = options;
  const names = ["preferred_username", "email", "email_verified", "groups", "realm_access"];
  return {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri], token_endpoint_auth_method: method }],
    clientAuthMethods: [method],
    claims: { openid: ["sub", ...names, "acr", "amr"] },
    conformIdTokenClaims: !claimsInIdToken,
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts[accountId]!.claims }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: grantAll,
    jwks: { keys: [SIGNING_KEY] },
    cookies: { keys: ["signs the cookies of this test"] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

/** Grants everything that the client requests, without asking the user. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
  grant.addOIDCScope("openid profile email");
  await grant.save();
  return grant;
}

function answerWith(provider: Provider, { accounts, clientAuthentication }: IdentityProviderOptions): RequestListener {
  const answer = provider.callback();
  return (request, response) => {
    // The package always accepts HTTP Basic from clients that have a secret.
    if (clientAuthentication === "client_secret_post" && request.headers.authorization?.startsWith("Basic "))
      return void response.writeHead(401, { "www-authenticate": "Basic" }).end();
    if (!request.url!.startsWith("/interaction/")) return void answer(request, response);
    void interact(provider, accounts, { request, response }).catch((error: unknown) => response.destroy(error as Error));
  };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function interact(provider: Provider, accounts: Record<string, Account>, { request, response }: Exchange): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>
      <form method="post"><label>Account <input name="account" /></label> <button name="decision" value="accept">Continue</button>
      <button name="decision" value="refuse">Cancel</button></form></html>`);
    return;
  }
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const accountId = form.get("account")!;
  const { acr, amr } = accounts[accountId] ?? {};
  const refused = { error: "access_denied", error_description: "The user cancelled" };
  const login = { login: { accountId, ...(acr && { acr }), ...(amr && { amr }) } };
  await provider.interactionFinished(request, response, form.get("decision") === "refuse" ? refused : login);
}

type SignIn = { account: string; issuer: string };

async function signIn(authorizationUrl: string, { account, issuer }: SignIn): Promise<string> {
  const cookies = new Map<string, string>();
  let target = authorizationUrl;
  while (target.startsWith(issuer)) {
    const isForm = new URL(target).pathname.startsWith("/interaction/");
    const response = await fetch(target, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(isForm && { method: "POST", body: new URLSearchParams({ account, decision: account === "" ? "refuse" : "accept" }) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    target = new URL(location, target).href;
  }
  return target;
}
