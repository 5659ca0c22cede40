import { z } from "zod";
import { STATUS_CODES } from "../../../web/node-http.ts";
import { type Operation, OPERATIONS } from "./operations.ts";
import { problem } from "./responses.ts";

const ERROR_STATUSES = [401, 403, 404, 422, 429] as const;

/** Returns the API as an OpenAPI 3.1 document. `server` is the service's URL without a trailing slash. */
export function openApiDocument(server: string): object {
  const paths = Map.groupBy(OPERATIONS, ({ path }) => path);
  return {
    openapi: "3.1.0",
    info: {
      title: "Roomrack",
      version: "1",
      description: "Read and follow availability, rates and inventory, and edit records. Systems that send messages use /channel instead.",
    },
    servers: [{ url: server === "" ? "/" : server }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      [...paths].map(([path, operations]) => [path, Object.fromEntries(operations.map((one) => [one.method, describeOperation(one)]))]),
    ),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token from Tools › API tokens" } },
      schemas: { Problem: toJsonSchema(problem) },
      responses: Object.fromEntries(ERROR_STATUSES.map((status) => [`Error${status}`, errorResponse(status)])),
    },
  };
}

function describeOperation({ id, summary, scope, path, query = {}, form, response, media = [] }: Operation): object {
  return {
    operationId: id,
    summary,
    description: `Requires the \`${scope}\` scope.`,
    parameters: [...pathParameters(path), ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema))],
    ...(form && { requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: toJsonSchema(form) } } } }),
    responses: {
      ...(response
        ? { 200: successResponses(response, media) }
        : { 303: { description: "Saved. The Location header points to the record." } }),
      ...Object.fromEntries(ERROR_STATUSES.map((status) => [status, { $ref: `#/components/responses/Error${status}` }])),
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function queryParameter(name: string, schema: z.ZodType): object {
  const { description, ...rest } = toJsonSchema(schema) as { description?: string };
  return { name, in: "query", ...(description && { description }), schema: rest };
}

function successResponses(response: z.ZodType, media: readonly string[]): object {
  const otherContent: Record<string, object> = Object.fromEntries(media.map((type) => [type, { schema: { type: "string" } }]));
  return {
    description: "Success",
    headers: { ETag: { schema: { type: "string" }, description: "Send this value as If-None-Match to get 304 if nothing has changed" } },
    content: { "application/json": { schema: toJsonSchema(response) }, ...otherContent },
  };
}

function errorResponse(status: (typeof ERROR_STATUSES)[number]): object {
  const wait = { "Retry-After": { schema: { type: "integer" }, description: "Seconds to wait before the next request" } };
  return {
    description: STATUS_CODES[status],
    ...(status === 429 && { headers: wait }),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

/** Describes form fields as they are sent, before their rules convert the values. */
function toJsonSchema(schema: z.ZodType): object {
  return { ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), $schema: undefined };
}
