import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import { type AuditFilters, type StoredAuditEntry, searchAudit } from "../../records/audit.ts";
import { addAnyRoute } from "../../web/any-route.ts";
import { type CsvColumn, sendCsv } from "../../web/csv.ts";
import { sendFaults, sendJson } from "../../web/json.ts";
import { readQuery } from "../../web/negotiate.ts";
import { sendPage } from "../../web/page.ts";
import type { Module } from "../module.ts";
import { auditPage, PAGE_SIZE } from "./page.ts";
import { type AuditQuery, readAuditQuery } from "./query.ts";

/** Maximum number of exported entries. To export more, filter or pass the last ID as `before`. */
export const MAX_EXPORTED = 10_000;
const BATCH_SIZE = 1_000;

type AuditDeps = { database: Database };

export const auditModule: Module<AuditDeps> = {
  name: "audit",
  about: "The audit log: all changes and sign-ins, with user, IP address and time.",
  tables: [],
  uses: [],
  register(app, { database }) {
    addAnyRoute(
      app,
      { url: "/tools/audit", about: "audit log, newest first", readsReplica: true, access: "admin", acts: "admin" },
      (request, reply) => sendAudit(database, readAuditQuery(readQuery(request)), reply),
    );
  },
};

async function sendAudit(database: Database, query: AuditQuery, reply: FastifyReply): Promise<FastifyReply> {
  const { format, faults, filters } = query;
  if (format !== "page" && Object.keys(faults).length > 0) return sendFaults(reply, faults);
  if (format === "csv") return sendCsv(reply, "audit", { columns: CSV_COLUMNS, batches: exportEntries(database, filters) });
  if (format === "json") {
    const entries = (await Array.fromAsync(exportEntries(database, filters))).flat();
    return sendJson(reply, { entries: entries.map(toRecord), next: entries.length < MAX_EXPORTED ? null : entries.at(-1)!.id });
  }
  return sendPage(reply, auditPage(query, await searchAudit(database, filters, PAGE_SIZE + 1)));
}

async function* exportEntries(database: Database, filters: AuditFilters): AsyncGenerator<StoredAuditEntry[]> {
  let { before } = filters;
  for (let left = MAX_EXPORTED; left > 0; left -= BATCH_SIZE) {
    const entries = await searchAudit(database, { ...filters, before }, BATCH_SIZE);
    yield entries;
    if (entries.length < BATCH_SIZE) return;
    before = entries.at(-1)!.id;
  }
}

const CSV_COLUMNS: readonly CsvColumn<StoredAuditEntry>[] = [
  { head: "id", cell: ({ id }) => id },
  { head: "at", cell: ({ at }) => new Date(at).toISOString() },
  { head: "user", cell: ({ actor }) => actor },
  { head: "kind", cell: ({ kind }) => kind ?? undefined },
  { head: "address", cell: ({ address }) => address },
  { head: "browser", cell: ({ agent }) => agent },
  { head: "action", cell: ({ action }) => action },
  { head: "subject", cell: ({ subject }) => subject },
  { head: "changes", cell: ({ changes }) => changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`).join("\n") || undefined },
];

function toRecord({ id, at, actor, kind, address, agent, action, subject, message, changes }: StoredAuditEntry) {
  const origin = { kind: kind ?? null, address: address ?? null, browser: agent ?? null };
  return { id, at: new Date(at).toISOString(), user: actor, ...origin, action, subject, message: message ?? null, changes };
}
