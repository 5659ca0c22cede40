import type { FastifyInstance, FastifyRequest } from "fastify";
import { MOST_FIELDS } from "./form.ts";
import { HttpException } from "./http-error.ts";

const TYPE = "multipart/form-data";

/** Lets every form come as multipart (RFC 7578), too, as some programs send theirs. Files in it are left out. */
export function takeMultipartForms(app: FastifyInstance, bodyLimit: number): void {
  const read = (request: FastifyRequest, body: Buffer) => readFields(request.headers["content-type"]!, body);
  app.addContentTypeParser(TYPE, { parseAs: "buffer", bodyLimit }, read);
}

/** Lets the routes of `app` read multipart bodies in a way of their own. */
export function leaveMultipartForms(app: FastifyInstance): void {
  app.removeContentTypeParser(TYPE);
}

/** A field sent twice is a list, as in forms of the usual type. */
async function readFields(type: string, body: Buffer): Promise<Record<string, string | string[]>> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const fields = [...form].slice(0, MOST_FIELDS).filter((field): field is [string, string] => typeof field[1] === "string");
    const named = Map.groupBy(fields, ([name]) => name);
    return Object.fromEntries([...named].map(([name, sent]) => [name, sent.length === 1 ? sent[0]![1] : sent.map(([, value]) => value)]));
  } catch {
    throw new HttpException(400, "The form cannot be read: it is not multipart/form-data as RFC 7578 has it");
  }
}
