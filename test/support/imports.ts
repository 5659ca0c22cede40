import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import type { TestApp, Visitor } from "./app.ts";

type Fault = { column: string; value: string; problem: string };

export type ImportJson = {
  id: number;
  kind: string;
  state: string;
  fault: string | null;
  counts: Readonly<Record<string, number>>;
  rows: readonly {
    row: number;
    outcome: string;
    record: string;
    changes: { field: string; from: string; to: string }[];
    faults: Fault[];
  }[];
};

/** Uploads text whose columns are recognised, and returns its preview. */
export async function preview(visitor: Visitor, text: string): Promise<ImportJson> {
  const { statusCode, headers, body } = await visitor.post("/tools/import", { action: "upload", text });
  assert.equal(statusCode, 303, body);
  return readImport(visitor, headers.location!);
}

export async function previewFile(visitor: Visitor, bytes: Buffer): Promise<ImportJson> {
  const { statusCode, headers, body } = await sendFile(visitor, bytes);
  assert.equal(statusCode, 303, body);
  return readImport(visitor, headers.location!);
}

const BOUNDARY = "boundary-of-a-test";

export async function sendFile(visitor: Visitor, ...files: readonly Buffer[]): Promise<LightMyRequestResponse> {
  const page = await visitor.get("/tools/import");
  const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(page.body.slice(page.body.indexOf("<main"))) ?? [];
  const part = (head: string) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
  const fields = `${part('name="_csrf"')}${token}\r\n${part('name="action"')}upload\r\n`;
  const parts = files.flatMap((bytes) => [Buffer.from(part('name="file"; filename="a.csv"')), bytes, Buffer.from("\r\n")]);
  const payload = Buffer.concat([Buffer.from(fields), ...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return visitor.send("/tools/import", payload, { "content-type": `multipart/form-data; boundary=${BOUNDARY}` });
}

/** Returns the first 100 rows. */
export async function readImport(visitor: Visitor, url: string): Promise<ImportJson> {
  return (await visitor.get(`${url}?format=json&show=all&size=100`)).json();
}

/** Submits the form on an import's page. */
export async function act(visitor: Visitor, id: number, action: string): Promise<ImportJson> {
  const url = `/tools/import/${id}`;
  await visitor.get(url);
  const { statusCode, body } = await visitor.post(url, { action });
  assert.equal(statusCode, 303, body);
  return readImport(visitor, url);
}

export async function currentFile(service: TestApp, kind: string): Promise<string> {
  return (await service.inject(`/tools/import?current=${kind}`)).body;
}
