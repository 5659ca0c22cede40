import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpException, messageOf } from "../../web/http-error.ts";
import { leaveMultipartForms } from "../../web/multipart.ts";
import { MAX_BODY_BYTES } from "../channel/limits.ts";

const LIMITS = { fields: 20, files: 1, parts: 30, fieldSize: MAX_BODY_BYTES, fileSize: MAX_BODY_BYTES };

/** Lets the routes of `app` take multipart forms (RFC 7578) as large as messages: texts as strings, a file as bytes. */
export async function addMultipartForms(app: FastifyInstance): Promise<void> {
  leaveMultipartForms(app);
  await app.register(multipart, { limits: LIMITS });
  app.addHook("preValidation", async (request) => {
    if (request.isMultipart()) request.body = await readParts(request);
  });
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === "field" && part.valueTruncated)
        throw new HttpException(413, `The field ${part.fieldname} is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`);
      fields[part.fieldname] = part.type === "file" ? await part.toBuffer() : part.value;
    }
    return fields;
  } catch (error) {
    throw hasStatus(error) ? error : new HttpException(400, `The form cannot be read: ${messageOf(error)}`);
  }
}

/** The parser throws bare errors for what is no form at all. */
function hasStatus(error: unknown): boolean {
  return error instanceof Error && "statusCode" in error;
}
