/** A name and secret that came with a message. */
export type Credentials = {
  scheme: "basic" | "bearer" | "wsse" | "wsse digest" | "requestor";
  /** Bearer tokens have no name. */
  name: string | undefined;
  secret: string;
};

/** Who sent a message; `hotels` undefined: all; who was let in otherwise may have a name. After too many wrong credentials, `wait` is how many seconds to wait. */
export type Authenticated =
  | { state: "open"; name?: string }
  | { state: "sender"; name: string; hotels: readonly string[] | undefined }
  | { state: "refused"; wait: number };

/** What is known of a sender before the check; `open`: no credentials are needed while the service has no senders. */
export type Applicant = { credentials: Credentials | undefined; open: boolean; remote: string | undefined };

export type Authenticate = (applicant: Applicant) => Promise<Authenticated>;

/** The properties a sender is limited to; undefined if it has access to all. */
export function scopeOf(who: Authenticated): readonly string[] | undefined {
  return who.state === "sender" ? who.hotels : undefined;
}

/** Whether a sender has access to a property. */
export function mayTouch(who: Authenticated, hotel: string): boolean {
  return scopeOf(who)?.includes(hotel) ?? true;
}
