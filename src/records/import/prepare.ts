import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import { textExcerpt } from "../../text.ts";
import { type ImportKind, keyText, type RecordKey, type StoredRecord } from "./kinds.ts";
import { describeKey, type RowCells, readRow, type ReadRow, type RowFault } from "./read-row.ts";
import { findPriced, readKeys, readPropertyCodes, readRecords } from "./records-store.ts";
import { addRows, deleteRows, type ReadLine } from "./store.ts";

/** A row of the file. `line` counts the header as 1. `faults` concern the row as a whole. */
export type FileRow = { line: number; cells: RowCells; faults: readonly RowFault[] };

/** Other requests are served between batches. */
export const BATCH_SIZE = 200;

type PrepareOptions = { database: Database; kind: ImportKind; id: number; onProgress(rows: number): void };

/** Compares every row with the stored records and stores the result for the preview. Changes no record. */
export async function prepareImport(
  { database, kind, id, onProgress }: PrepareOptions,
  rows: AsyncIterable<readonly FileRow[]>,
): Promise<void> {
  await deleteRows(database, id);
  const comparison = await RowComparison.open(database, kind);
  let done = 0;
  for await (const batch of rows) {
    await addRows(database, id, await comparison.compare(batch));
    done += batch.length;
    onProgress(done);
    await nextTurn();
  }
}

/** `keys` is a map by `keyText` in lower case. `properties` is undefined if the records are properties. */
type StoredKeys = { keys: ReadonlyMap<string, RecordKey>; properties: ReadonlySet<string> | undefined };

type SeenRow = { line: number; text: string; isStored: boolean };

/** Compares rows with the stored records and with the earlier rows of the file. */
class RowComparison {
  readonly #database: Database;
  readonly #kind: ImportKind;
  readonly #stored: StoredKeys;
  /** The first row with each key, by `keyText` in lower case. */
  readonly #seen = new Map<string, SeenRow>();

  private constructor(database: Database, kind: ImportKind, stored: StoredKeys) {
    this.#database = database;
    this.#kind = kind;
    this.#stored = stored;
  }

  static async open(database: Database, kind: ImportKind): Promise<RowComparison> {
    const properties = kind.keys.length > 1 ? await readPropertyCodes(database) : undefined;
    return new RowComparison(database, kind, { keys: await readKeys(database, kind), properties });
  }

  async compare(rows: readonly FileRow[]): Promise<ReadLine[]> {
    const keys = rows.map(({ cells }) => this.#kind.keyOf(cells.texts)).filter((key) => this.#stored.keys.has(keyText(key).toLowerCase()));
    const records = await readRecords(this.#database, this.#kind, keys);
    const lines = rows.map((row) => this.#read(row, records));
    return this.#keepCurrencies(lines, rows);
  }

  #read({ line, cells, faults }: FileRow, records: ReadonlyMap<string, StoredRecord>): ReadLine {
    const key = this.#kind.keyOf(cells.texts);
    const text = keyText(key);
    const readResult = readRow(this.#kind, cells, { find: (one) => records.get(keyText(one)), checkKey: (one) => this.#checkKey(one) });
    const repeatedFault = this.#checkRepeated({ line, text, isStored: records.has(text) });
    const all = [...faults, ...(repeatedFault ? [this.#keyFault(cells, repeatedFault)] : []), ...(readResult.detail.faults ?? [])];
    return all.length === 0 ? { ...readResult, line } : { ...withFaults(readResult, all), line };
  }

  /**
   * Returns an error for a code that repeats another row. Codes are case-sensitive, but two codes that differ only in case are nearly
   * always a mistake, unless both are stored.
   */
  #checkRepeated(row: SeenRow): string | undefined {
    if (row.text === "") return undefined;
    const first = this.#seen.getOrInsert(row.text.toLowerCase(), row);
    if (first === row) return undefined;
    if (first.text === row.text) return `Row ${first.line} has the same code. Keep one row for each code`;
    if (first.isStored && row.isStored) return undefined;
    return `This code differs from ${shortenText(first.text)} in row ${first.line} only in upper and lower case. Keep one of the rows`;
  }

  #checkKey(key: RecordKey): { field: string; problem: string } | undefined {
    const { many, one } = this.#kind;
    if (this.#stored.properties && key.property !== "" && !this.#stored.properties.has(key.property))
      return { field: this.#kind.keys[0]!, problem: "Enter the code of an existing property. Import the properties first" };
    const similarKey = this.#stored.keys.get(keyText(key).toLowerCase());
    if (!similarKey) return undefined;
    const code = keyText(similarKey);
    return {
      field: "code",
      problem: `This code differs from ${one} ${code} only in upper and lower case. Enter ${code} to change that ${one}, or choose another code. You can create ${many} with such codes only in the form`,
    };
  }

  #keyFault({ texts, columns }: RowCells, problem: string): RowFault {
    return { column: columns.code ?? "Code", value: texts.code ?? "", problem };
  }

  /** Refuses another currency for a property with prices, because stored amounts are not converted. */
  async #keepCurrencies(lines: ReadLine[], rows: readonly FileRow[]): Promise<ReadLine[]> {
    if (!this.#kind.hasPrices) return lines;
    const changedCurrencies = lines.filter(
      ({ detail: { before, record } }) => before?.currency !== undefined && record?.currency !== before.currency,
    );
    const pricedProperties = await findPriced(
      this.#database,
      changedCurrencies.map(({ key }) => key.property),
    );
    return lines.map((line, index) => {
      if (!changedCurrencies.includes(line) || !pricedProperties.has(line.key.property)) return line;
      const { texts, columns } = rows[index]!.cells;
      const problem = `Keep ${String(line.detail.before!.currency)}, because ${describeKey(this.#kind, line.key)} has prices in this currency`;
      return { ...withFaults(line, [{ column: columns.currency ?? "currency", value: texts.currency ?? "", problem }]), line: line.line };
    });
  }
}

/** Truncates values, because a cell may contain a million characters. */
function withFaults({ key: { property, code } }: ReadRow, faults: readonly RowFault[]): ReadRow {
  const key = { property: shortenText(property), code: shortenText(code) };
  return { outcome: "fault", key, detail: { faults: faults.map((fault) => ({ ...fault, value: shortenText(fault.value) })) } };
}

const MAX_SHOWN_CHARACTERS = 200;

function shortenText(text: string): string {
  return textExcerpt(text, 0, MAX_SHOWN_CHARACTERS);
}
