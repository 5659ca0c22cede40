import { exportedText } from "../../records/import/read-row.ts";
import { csvText } from "../../web/csv.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { checkColumns } from "./analyse.ts";
import { checkRows, FileFault } from "./file.ts";

/** Unlike CSV, a JSON file is parsed in one call that blocks the event loop. */
const MAX_JSON_CHARACTERS = 20_000_000;

export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Other requests are served between two batches of records. */
const BATCH_SIZE = 200;

/**
 * Converts a JSON array of records, or a response that contains one, to batches of CSV. The first batch starts with the header. Throws
 * `FileFault`.
 */
export function* jsonToCsv(text: string): Generator<string, undefined> {
  if (text.length > MAX_JSON_CHARACTERS)
    throw new FileFault(`A JSON file may have up to ${formatNumber(MAX_JSON_CHARACTERS)} characters. Use CSV for larger files`);
  const records = findRecords(parseJson(text));
  checkRows(records.length);
  const header = unionOfKeys(records);
  const toCsv = (some: readonly JsonRecord[]) => csvText(some.map((record) => header.map((name) => cellText(record[name]))));
  yield csvText([header]) + toCsv(records.slice(0, BATCH_SIZE));
  for (let start = BATCH_SIZE; start < records.length; start += BATCH_SIZE) yield toCsv(records.slice(start, start + BATCH_SIZE));
}

function unionOfKeys(records: readonly JsonRecord[]): readonly string[] {
  const names = new Set<string>();
  for (const record of records) {
    for (const name of Object.keys(record)) names.add(name);
    checkColumns(names.size);
  }
  return [...names];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileFault(`The file is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

function findRecords(value: unknown): readonly JsonRecord[] {
  const lists = isRecord(value) ? [value.properties, value.categories, value.plans] : [value];
  const list = lists.find((one) => Array.isArray(one)) as readonly unknown[] | undefined;
  if (!list)
    throw new FileFault(
      "The file does not contain a list of records. Upload a list, or an object with a list named properties, categories or plans",
    );
  const invalidIndex = list.findIndex((one) => !isRecord(one));
  if (invalidIndex !== -1) throw new FileFault(`Record ${invalidIndex + 1} of the list is not an object`);
  return list as readonly JsonRecord[];
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return exportedText(value);
  return JSON.stringify(value);
}
