import type { Digest } from "./digest.ts";

/** What a sender signs in with. `digest` is set if `secret` is a WS-Security PasswordDigest. */
export type Credentials = {
  scheme: "basic" | "bearer" | "api key" | "wsse" | "wsse digest" | "requestor";
  /** Absent if the secret came alone. */
  name: string | undefined;
  secret: string;
  digest?: Digest;
};
