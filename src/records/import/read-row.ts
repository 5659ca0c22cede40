import { fieldText, plainNumber } from "../../text.ts";
import { changesBetween } from "../audit.ts";
import { type FieldValue, type ImportedRecord, type ImportKind, keyText, type RecordKey, type StoredRecord } from "./kinds.ts";

/** `column` is the column's name in the file. `problem` is the error message. */
export type RowFault = { column: string; value: string; problem: string };

/** `before` is undefined for a new record. `times` are a new record's times in the file, in milliseconds since 1970. */
export type RowDetail = { record?: ImportedRecord; before?: StoredRecord; times?: RowTimes; faults?: readonly RowFault[] };

type RowTimes = { createdAt?: number; updatedAt?: number };

/** Exported times. An import uses them only for new records. */
export const TIME_FIELDS = { createdAt: "Created", updatedAt: "Updated" } as const;

export type ReadRow = { outcome: "new" | "changed" | "unchanged" | "fault"; key: RecordKey; detail: RowDetail };

/** The text of each cell in the file, by field name. `columns` contains the column name of each field. */
export type RowCells = { texts: Readonly<Record<string, string>>; columns: Readonly<Record<string, string>> };

/** The stored data that a row is compared with. `checkKey` returns why a new record can't have this key. */
export type ExistingRecords = {
  find(key: RecordKey): StoredRecord | undefined;
  checkKey(key: RecordKey): { field: string; problem: string } | undefined;
};

/** Validates one row with the rules of the record's form. An empty cell clears an optional field and leaves other fields unchanged. */
export function readRow(kind: ImportKind, cells: RowCells, existing: ExistingRecords): ReadRow {
  const key = kind.keyOf(cells.texts);
  const before = existing.find(key);
  return before ? readEdit(kind, cells, before) : readNew(kind, cells, existing);
}

function readEdit(kind: ImportKind, cells: RowCells, before: StoredRecord): ReadRow {
  const key = kind.keyOf(before);
  const exportedValues = kind.exported(before);
  const changedValues = toForm(
    kind,
    cells.texts,
    (field, text) =>
      !kind.keys.includes(field) &&
      text !== exportedText(exportedValues[field]) &&
      text !== fieldText(before[field]) &&
      !isKept(kind, field, text),
  );
  if (Object.keys(changedValues).length === 0) return { outcome: "unchanged", key, detail: {} };
  const storedTexts = Object.fromEntries(kind.fields.map((field) => [field, fieldText(before[field])]));
  const parsedForm = kind.editForm.safeParse({ ...storedTexts, ...changedValues });
  if (!parsedForm.success) return { outcome: "fault", key, detail: { faults: toRowFaults(parsedForm.error.issues, cells, kind) } };
  const record = { ...pickFields(before, kind.keys), ...parsedForm.data };
  if (changesBetween(before, record, kind.fields).length === 0) return { outcome: "unchanged", key, detail: {} };
  return { outcome: "changed", key, detail: { record, before } };
}

function readNew(kind: ImportKind, cells: RowCells, { checkKey }: ExistingRecords): ReadRow {
  const parsedForm = kind.newForm.safeParse(
    toForm(kind, cells.texts, (field, text) => !(field in TIME_FIELDS) && !isKept(kind, field, text)),
  );
  const faults = parsedForm.success ? [] : toRowFaults(parsedForm.error.issues, cells, kind);
  const key = kind.keyOf(cells.texts);
  const keyProblem = checkKey(key);
  const { times, faults: timeFaults } = readTimes(cells);
  faults.push(...timeFaults);
  const isReported = faults.some(({ column }) => column === columnName(kind, cells, keyProblem?.field ?? ""));
  if (keyProblem && !isReported)
    faults.push({
      column: columnName(kind, cells, keyProblem.field),
      value: cells.texts[keyProblem.field] ?? "",
      problem: keyProblem.problem,
    });
  if (!parsedForm.success || faults.length > 0) return { outcome: "fault", key, detail: { faults } };
  return { outcome: "new", key: kind.keyOf(parsedForm.data), detail: { record: parsedForm.data, times } };
}

const UTC_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const TIME_FORMAT_HINT = "Enter a time in UTC such as 2026-11-20T09:00:00.000Z, or leave the cell empty";

function readTimes({ texts: storedTexts, columns }: RowCells): { times: RowTimes; faults: RowFault[] } {
  const times: RowTimes = {};
  const faults: RowFault[] = [];
  for (const field of ["createdAt", "updatedAt"] as const) {
    const value = storedTexts[field] ?? "";
    if (value === "") continue;
    const at = UTC_TIME_PATTERN.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(value.slice(0, "2026-11-20T09:00:00".length)))
      faults.push({ column: columns[field] ?? field, value, problem: TIME_FORMAT_HINT });
    else times[field] = at;
  }
  return { times, faults };
}

/** Returns whether an empty cell leaves the value unchanged, which applies to every required field except the name. */
function isKept(kind: ImportKind, field: string, text: string): boolean {
  return text === "" && !isOptional(kind, field);
}

const optionalFieldsByKind = new WeakMap<ImportKind, Set<string>>();

/** Returns whether an empty form field clears the value or is refused. In other fields, the form would fill in a default. */
function isOptional(kind: ImportKind, field: string): boolean {
  return optionalFieldsByKind.getOrInsertComputed(kind, optionalFields).has(field);
}

function optionalFields(kind: ImportKind): Set<string> {
  const parsedForm = kind.editForm.safeParse({ name: "-" });
  const defaults: ImportedRecord = parsedForm.success ? parsedForm.data : {};
  return new Set(kind.fields.filter((field) => field === "name" || defaults[field] === undefined));
}

function pickFields(record: ImportedRecord, names: readonly string[]): ImportedRecord {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** Returns a value as written in exports. */
export function exportedText(value: FieldValue): string {
  return typeof value === "number" ? plainNumber(value) : String(value ?? "");
}

/** Returns form values for the wanted fields. Lists also accept labels such as “Hotel”, and TRUE, which spreadsheets write. */
function toForm(
  kind: ImportKind,
  storedTexts: RowCells["texts"],
  isWanted: (field: string, text: string) => boolean,
): Record<string, string> {
  const values = convertersByKind.getOrInsertComputed(kind, listConverters);
  const form: Record<string, string> = {};
  for (const field in storedTexts) {
    const text = storedTexts[field]!;
    if (isWanted(field, text)) form[field] = values.get(field)?.(text) ?? text;
  }
  return form;
}

const convertersByKind = new WeakMap<ImportKind, ReadonlyMap<string, (text: string) => string | undefined>>();

/** Returns, for each list field, a function that converts a cell's text to a form value. */
function listConverters(kind: ImportKind): ReadonlyMap<string, (text: string) => string | undefined> {
  return new Map(
    Object.entries(kind.choices).map(([field, choices]) => {
      if (kind.flags.includes(field)) return [field, (text) => FLAG_TEXTS[text.toLowerCase()]];
      const values = new Set(choices().map(([value]) => value));
      const valuesByText = new Map(choices().flatMap(([value, label]) => [value, label].map((one) => [one.toLowerCase(), value])));
      return [field, (text) => (values.has(text) ? text : valuesByText.get(text.toLowerCase()))];
    }),
  );
}

const FLAG_TEXTS: Readonly<Record<string, string>> = { yes: "on", no: "off", true: "true", false: "false", on: "on", off: "off" };

type ValidationIssue = { path: PropertyKey[]; message: string };

function toRowFaults(issues: readonly ValidationIssue[], cells: RowCells, kind: ImportKind): RowFault[] {
  const byField = new Map<string, RowFault>();
  for (const { path, message } of issues) {
    const field = String(path[0] ?? "");
    if (byField.has(field)) continue;
    byField.set(field, { column: columnName(kind, cells, field), value: cells.texts[field] ?? "", problem: message });
  }
  return [...byField.values()];
}

function columnName(kind: ImportKind, { columns }: RowCells, field: string): string {
  return columns[field] ?? kind.labels[field] ?? field;
}

export function describeKey(kind: ImportKind, key: RecordKey): string {
  return `${kind.one} ${keyText(key)}`;
}
