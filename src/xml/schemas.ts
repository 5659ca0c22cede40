import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as libxml2 from "libxml2-wasm";

export type SchemaVerdict = { schema: string; errors: string[] };

const MAX_SHOWN_ERRORS = 20;

/**
 * Schemas in `alpinebits/<version>/alpinebits.xsd` and `<root element>.xsd`. The channel doesn't validate messages, because real messages
 * often violate the schemas.
 */
export class SchemaValidator {
  readonly #folder: string;
  readonly #validators = new Map<string, libxml2.XsdValidator>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Validates a document. Returns undefined if it has no schema. Throws if the schema can't be read. */
  async validate(document: Uint8Array, name: SchemaName): Promise<SchemaVerdict | undefined> {
    const schema = schemaFile(name);
    if (!existsSync(join(this.#folder, schema))) return undefined;
    const library = await import("libxml2-wasm");
    const validator = this.#validators.getOrInsertComputed(schema, () => readSchema(library, join(this.#folder, schema)));
    return { schema, errors: validationErrors(library, validator, document) };
  }
}

export type SchemaName = { version: string } | { root: string };

function schemaFile(name: SchemaName): string {
  if ("version" in name) return join("alpinebits", name.version.replaceAll(/[^\w-]/g, ""), "alpinebits.xsd");
  return `${name.root.replaceAll(/\W/g, "")}.xsd`;
}

function readSchema({ XmlDocument, XsdValidator }: typeof libxml2, file: string): libxml2.XsdValidator {
  using document = XmlDocument.fromBuffer(readFileSync(file));
  return XsdValidator.fromDoc(document);
}

function validationErrors({ XmlDocument, XmlLibError }: typeof libxml2, validator: libxml2.XsdValidator, bytes: Uint8Array): string[] {
  try {
    using document = XmlDocument.fromBuffer(bytes);
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.slice(0, MAX_SHOWN_ERRORS).map(({ line, message }) => `line ${line}: ${message.trim()}`);
  }
}
