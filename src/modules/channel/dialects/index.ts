import type { IncomingRequest, OpenedRequest } from "../exchange.ts";
import type { RecognisedBody } from "../transports/recognise.ts";
import { alpineBitsFamily } from "./alpinebits-form.ts";
import type { Dialect } from "./dialect.ts";
import type { DialectFamily, UnopenedRequest } from "./family.ts";
import { jsonFamily } from "./json.ts";
import { openTravelFamily } from "./opentravel.ts";

/** Families in the order in which they are tried. OpenTravel accepts every body that no other family recognises. */
const DIALECT_FAMILIES: readonly DialectFamily[] = [alpineBitsFamily, jsonFamily];

/** Returns the dialect that the headers indicate, for use before the body is opened. */
export function dialectFromHeaders(headers: IncomingRequest["headers"]): Dialect {
  for (const family of DIALECT_FAMILIES) {
    const dialect = family.fromHeaders(headers);
    if (dialect) return dialect;
  }
  return openTravelFamily.fromHeaders(headers);
}

export function openInDialect(unopened: UnopenedRequest, body: RecognisedBody): OpenedRequest {
  const openedRequest = openInFamily(unopened, body);
  const request = openedRequest.document?.request;
  // In any dialect, the credentials can identify the property.
  if (unopened.profile.hotelCode === "credential" && request?.kind === "hotel")
    Object.assign(request.hotel, { code: undefined, name: undefined });
  return openedRequest;
}

function openInFamily(unopened: UnopenedRequest, body: RecognisedBody): OpenedRequest {
  for (const family of DIALECT_FAMILIES) {
    const openedRequest = family.open(unopened, body);
    if (openedRequest) return openedRequest;
  }
  return openTravelFamily.open(unopened, body);
}
