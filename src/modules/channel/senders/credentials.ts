import type { PasswordDigest } from "./digest.ts";

/** A sender's credentials. `digest` is set if `secret` is a WS-Security PasswordDigest. */
export type Credentials = {
  scheme: "basic" | "bearer" | "api key" | "wsse" | "wsse digest" | "requestor";
  /** The sender's name. Undefined if only a secret was sent. */
  name: string | undefined;
  secret: string;
  digest?: PasswordDigest;
};
