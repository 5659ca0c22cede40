import type { FastifyInstance, FastifyRequest } from "fastify";
import { MOST_FIELDS } from "./form.ts";
import { HttpException } from "./http-error.ts";

const TYPE = "multipart/form-data";

type Part = [name: string, value: string | File];
type Field = [name: string, value: string | Buffer];

/** Lets every form come as multipart (RFC 7578), too, as some programs send theirs. Files in it are left out. */
export function takeMultipartForms(app: FastifyInstance): void {
  app.addContentTypeParser(TYPE, { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    const parts = await readParts(request, body);
    return fieldsOf(parts.filter((part): part is [string, string] => typeof part[1] === "string"));
  });
}

/** Lets forms of the routes of `app` bring files, too, as bytes. */
export function takeFiles(app: FastifyInstance): void {
  app.removeContentTypeParser(TYPE);
  app.addContentTypeParser(TYPE, { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    fieldsOf(await Promise.all((await readParts(request, body)).map(toField))),
  );
}

async function readParts({ headers }: FastifyRequest, body: Buffer): Promise<Part[]> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"]! } }).formData();
    return [...form].slice(0, MOST_FIELDS);
  } catch {
    throw new HttpException(400, "The form cannot be read: it is not multipart/form-data as RFC 7578 has it");
  }
}

async function toField([name, value]: Part): Promise<Field> {
  return [name, typeof value === "string" ? value : Buffer.from(await value.arrayBuffer())];
}

/** A field sent twice is a list, as in forms of the usual type. */
function fieldsOf(fields: readonly Field[]): Record<string, Field[1] | Field[1][]> {
  const named = Map.groupBy(fields, ([name]) => name);
  return Object.fromEntries([...named].map(([name, sent]) => [name, sent.length === 1 ? sent[0]![1] : sent.map(([, value]) => value)]));
}
