import { readFileSync } from "node:fs";

const PACKAGE = new URL("../../../package.json", import.meta.url);

/** The version of this service. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
}
