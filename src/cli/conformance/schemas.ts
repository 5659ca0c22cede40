import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as libxml2 from "libxml2-wasm";
import { UsageError } from "../command.ts";

/** Validates answers against the schemas of AlpineBits that a folder has. */
export type Schemas = {
  /** What is wrong with an answer of that version; `undefined`: nothing, or there is no schema. */
  check(version: string, answer: Uint8Array): string | undefined;
  has(version: string): boolean;
};

/** Reads `alpinebits/<version>/alpinebits.xsd` of each version. Throws `UsageError` where there are some and no validator is installed. */
export async function openSchemas(folder: string, versions: readonly string[]): Promise<Schemas> {
  const files = new Map(versions.map((version) => [version, join(folder, "alpinebits", version, "alpinebits.xsd")] as const));
  const present = [...files].filter(([, file]) => existsSync(file));
  if (present.length === 0) return { check: () => undefined, has: () => false };
  const { XmlDocument, XsdValidator } = await loadValidator();
  const validators = new Map<string, libxml2.XsdValidator>();
  for (const [version, file] of present) validators.set(version, XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(file))));
  return {
    has: (version) => validators.has(version),
    check(version, answer) {
      const validator = validators.get(version);
      if (!validator) return undefined;
      try {
        using document = XmlDocument.fromBuffer(answer);
        validator.validate(document);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message.trim() : String(error);
      }
    },
  };
}

async function loadValidator(): Promise<typeof libxml2> {
  try {
    return await import("libxml2-wasm");
  } catch (error) {
    const message = "AlpineBits answers are validated with libxml2-wasm, which comes with the development dependencies: run npm install.";
    throw new UsageError(message, { cause: error });
  }
}
