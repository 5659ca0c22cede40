/** A name and secret that came with a message. */
export type Credentials = {
  scheme: "basic" | "bearer" | "wsse" | "wsse digest" | "requestor";
  /** Bearer tokens have no name. */
  name: string | undefined;
  secret: string;
};

/** Who sent a message; `hotels` undefined: all. Who gave wrong credentials too often is to wait for `wait` seconds. */
export type Authenticated =
  | { state: "open" }
  | { state: "sender"; name: string; hotels: readonly string[] | undefined }
  | { state: "refused"; wait: number };

/** What is known of who sends a message; `open`: the service takes messages without credentials while there is no sender. */
export type Applicant = { credentials: Credentials | undefined; open: boolean; remote: string | undefined };

export type Authenticate = (applicant: Applicant) => Promise<Authenticated>;

/** Whether a sender may touch a hotel. */
export function mayTouch(who: Authenticated, hotel: string): boolean {
  return who.state !== "sender" || who.hotels === undefined || who.hotels.includes(hotel);
}
