/** What the header `Authorization` has; a Bearer token has no name. */
export type HeaderCredential = { scheme: "basic" | "bearer"; name: string | undefined; secret: string };

/** Reads Basic (RFC 7617, in UTF-8) or Bearer (RFC 6750, and words in UTF-8 as people choose them); undefined for anything else. */
export function readAuthorization(header: string | undefined): HeaderCredential | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S.*)$/i.exec(header?.trimEnd() ?? "") ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer")
    return { scheme: "bearer", name: undefined, secret: Buffer.from(value, "latin1").toString("utf8") };
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : { scheme: "basic", name: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}
