import type { Database } from "../../../db/database.ts";
import type { SenderCodeRow } from "../../../db/schema.ts";
import type { By } from "../../../records/audit.ts";

export type CodeKind = SenderCodeRow["kind"];

/** A code of a sender and ours. `property` is our code of the property; empty for kind `property`. */
export type SenderCode = { kind: CodeKind; property: string; code: string; target: string };

/** `duplicate`: another code of the sender already stands for the target. `unknown`: there is no such sender. */
export type CodeSet = "done" | "unchanged" | "unknown" | "duplicate";

/** Sorted by property, kind and code. */
export declare function listCodes(database: Database, sender: string): Promise<SenderCode[]>;
/** Adds a code, or changes its target. Whether the target exists is for the caller to check. */
export declare function setCode(database: Database, code: SenderCode & { sender: string }, by: By): Promise<CodeSet>;
/** Returns whether there was one. */
export declare function removeCode(database: Database, code: Omit<SenderCode, "target"> & { sender: string }, by: By): Promise<boolean>;
