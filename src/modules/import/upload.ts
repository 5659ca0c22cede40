import type { Database } from "../../db/database.ts";
import type { By } from "../../records/audit.ts";
import { createImport, deleteParts, changeImportState, type NewImport } from "../../records/import/store.ts";
import { HttpException } from "../../web/http-error.ts";
import { analyseLayout } from "./analyse.ts";
import { type ColumnMapping, guessKind, isReadOnly, matchColumns, missingColumns } from "./columns.ts";
import { binaryFault, decodeText, detectEncoding } from "./decode.ts";
import { FileFault, storeText } from "./file.ts";
import { jsonToCsv, looksLikeJson } from "./json-file.ts";

export const DISCARDED_TEXT = "This file was discarded during its upload. Upload it again.";

export type UploadResult = { id: number; isMatched: boolean };

type UploadSource = Pick<NewImport, "name" | "source"> & { encoding: string; chunks: Iterable<string, undefined> };

/** Stores a file. Throws `FileFault` if it isn't text or a table. */
export function uploadFile(database: Database, bytes: Uint8Array, by: By): Promise<UploadResult> {
  const encoding = detectEncoding(bytes);
  const fault = binaryFault(bytes, encoding);
  if (fault !== undefined) throw new FileFault(fault);
  return storeUpload(database, { name: "Uploaded file", encoding, chunks: decodeText(bytes, encoding) }, by);
}

/** Stores pasted rows. Throws `FileFault` if they aren't a table. */
export function uploadText(database: Database, text: string, by: By): Promise<UploadResult> {
  return storeUpload(database, { name: "Pasted rows", encoding: "utf-8", chunks: [text] }, by);
}

async function storeUpload(database: Database, { chunks, ...file }: Omit<UploadSource, "source">, by: By): Promise<UploadResult> {
  const iterator = Iterator.from(chunks);
  const first = iterator.next().value ?? "";
  if (!looksLikeJson(first)) return storeTable(database, { ...file, source: "csv", first, otherChunks: iterator }, by);
  const batches = jsonToCsv([first, ...iterator].join(""));
  return storeTable(database, { ...file, source: "json", first: batches.next().value ?? "", otherChunks: batches }, by);
}

/** `otherChunks` are decoded one at a time during storage, because decoding a whole file would block the event loop. */
type UploadTable = Omit<UploadSource, "chunks"> & { first: string; otherChunks: Iterable<string> };

async function storeTable(database: Database, { first, otherChunks, ...file }: UploadTable, by: By): Promise<UploadResult> {
  const { delimiter, header } = analyseLayout(first);
  const kind = guessKind(header);
  const columns = matchColumns(kind, header);
  const id = await createImport(database, { ...file, kind: kind.name, delimiter, header, columns }, by);
  await storeContent(database, id, concatChunks(first, otherChunks));
  return { id, isMatched: missingColumns(kind, columns).length === 0 && !hasUnknown(header, columns) };
}

/** Stores the file. If this is interrupted, the import stays in the state `uploading`, so that a partial file is never imported. */
async function storeContent(database: Database, id: number, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await storeText(database, id, chunks);
  if (await changeImportState(database, id, { from: "uploading", to: "columns" })) return;
  await deleteParts(database, id);
  throw new HttpException(409, DISCARDED_TEXT);
}

function* concatChunks(first: string, otherChunks: Iterable<string>): Generator<string> {
  yield first;
  yield* otherChunks;
}

/** Stores the rows of a bulk edit. Its column names are field names. */
export async function storeBulkEdit(
  database: Database,
  edit: Pick<NewImport, "kind" | "name"> & { header: readonly string[]; chunks: AsyncIterable<string> },
  by: By,
): Promise<number> {
  const { chunks, ...file } = edit;
  const columns = edit.header;
  const id = await createImport(database, { ...file, columns, source: "bulk edit", encoding: "utf-8", delimiter: "," }, by);
  await storeContent(database, id, chunks);
  return id;
}

function hasUnknown(header: readonly string[], columns: ColumnMapping): boolean {
  return header.some((title, index) => title !== "" && columns[index] === null && !isReadOnly(title));
}
