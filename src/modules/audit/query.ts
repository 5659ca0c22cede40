import { z } from "zod";
import { type AuditFilters, SIGN_IN_EVENTS, type AuditEvents } from "../../records/audit.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../web/form.ts";
import { listFormat, type ListFormat } from "../../web/negotiate.ts";
import { momentFilter, readFilters, requireOrder } from "../../web/read-filters.ts";

export const USER_KINDS = ["person", "token", "sender", "command", "open"] as const;

export const AUDIT_EVENTS: readonly AuditEvents[] = ["changes", ...(Object.keys(SIGN_IN_EVENTS) as (keyof typeof SIGN_IN_EVENTS)[])];

const fieldSchemas = {
  events: z.enum(AUDIT_EVENTS, { error: "Choose events from the list" }),
  actor: z.string(),
  kind: z.enum(USER_KINDS, { error: "Choose a kind from the list" }),
  action: z.string(),
  subject: z.string(),
  from: momentFilter("first"),
  to: momentFilter("last"),
};

export const AUDIT_FIELDS = Object.keys(fieldSchemas);

export type AuditQuery = { typed: TypedValues; faults: Faults; filters: AuditFilters; format: ListFormat };

export function readAuditQuery(query: unknown): AuditQuery {
  const typed = readTyped(query);
  const { filters, faults } = requireOrder(readFilters(fieldSchemas, typed));
  return { typed, faults, filters: { ...filters, before: readId(typed["before"] ?? "") }, format: listFormat(typed) };
}
