import type { FastifyRequest } from "fastify";
import { actionOf, isActing } from "../any-route.ts";
import { readTyped } from "../form.ts";
import { AccessException } from "../http-error.ts";
import type { TokenGrant } from "./user.ts";

/** Throws 403 unless the token's scopes and properties allow the request. Call after the body has been read. */
export function requireGrant(request: FastifyRequest, { scopes, properties }: TokenGrant): void {
  const { tokens } = request.routeOptions.config;
  const neededScope = isActing(request) ? tokens?.act : tokens?.read;
  if (
    tokens === undefined ||
    neededScope === undefined ||
    (actionOf(request) === undefined && !isReadMethod(request) && !isActing(request))
  )
    throw new AccessException(403, `API tokens cannot be used for ${request.method} ${request.routeOptions.url ?? ""}.`);
  if (!scopes.includes(neededScope)) throw new AccessException(403, `This token does not have the scope ${neededScope}.`);
  if (properties !== undefined && tokens.property !== "handler") requireNamedProperty(request, tokens.property);
}

/** Throws 403 if the request's token is limited to properties and the parameter or field names none of them. */
export function requireNamedProperty(request: FastifyRequest, parameter: string | undefined): void {
  const properties = request.user?.grant?.properties;
  if (properties === undefined) return;
  const property = parameter && findNamedProperty(request, parameter);
  if (property === undefined || property === "") throw new AccessException(403, exampleProperty(properties, parameter));
  requireProperty(request, property);
}

function isReadMethod({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function exampleProperty(properties: readonly string[], parameter: string | undefined): string {
  const limitText = `This token is limited to ${properties.length === 1 ? "property" : "the properties"} ${properties.join(", ")}`;
  return parameter === "property" || parameter === "hotelCode"
    ? `${limitText}. Specify one of them: ?${parameter}=${properties[0] ?? ""}`
    : `${limitText}, and this URL covers all properties.`;
}

/** Throws 403 if the request's token has no access to the property. */
export function requireProperty({ user }: FastifyRequest, property: string | undefined): void {
  const allowedProperties = user?.grant?.properties;
  if (allowedProperties === undefined || (property !== undefined && allowedProperties.includes(property))) return;
  throw new AccessException(403, `This token does not give access to ${property === undefined ? "this" : `property ${property}`}.`);
}

function findNamedProperty({ params, query, body, method }: FastifyRequest, name: string): string | undefined {
  const pathValue = (params as Record<string, string | undefined>)[name];
  return pathValue ?? readTyped(method === "POST" ? body : query)[name];
}
