/** A name and secret that came with a message. */
export type Credentials = {
  scheme: "basic" | "bearer" | "wsse" | "requestor";
  /** Bearer tokens have no name. */
  name: string | undefined;
  secret: string;
};

/** Who sent a message; `hotels` undefined: all. */
export type Authenticated =
  | { state: "open" }
  | { state: "sender"; name: string; hotels: readonly string[] | undefined }
  | { state: "refused" };

/** Decides about credentials; `open`: the service takes messages without any while there is no sender. */
export type Authenticate = (credentials: Credentials | undefined, open: boolean) => Promise<Authenticated>;

/** Whether a sender may touch a hotel. */
export function mayTouch(who: Authenticated, hotel: string): boolean {
  return who.state !== "sender" || who.hotels === undefined || who.hotels.includes(hotel);
}
