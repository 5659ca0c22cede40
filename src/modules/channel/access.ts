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

/** Reads the header `Authorization`: Basic (RFC 7617, in UTF-8) or Bearer (RFC 6750). */
export function credentialsInHeader(authorization: string | undefined): Credentials | undefined {
  const parts = /^(basic|bearer) +(\S+) *$/i.exec(authorization ?? "");
  if (!parts) return undefined;
  if (parts[1]!.toLowerCase() === "bearer") return { scheme: "bearer", name: undefined, secret: parts[2]! };
  const pair = Buffer.from(parts[2]!, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : { scheme: "basic", name: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}

/** Whether a sender may touch a hotel. */
export function mayTouch(who: Authenticated, hotel: string): boolean {
  return who.state !== "sender" || who.hotels === undefined || who.hotels.includes(hotel);
}
