import { DAY_MS } from "../../../calendar/night.ts";
import { type ReadinessCheck, ok, problemFinding, problemIfAny, unknownFinding } from "./check.ts";

const MAX_BACKUP_AGE_DAYS = 7;
/** Allowed difference between the clocks of machines that share a database. */
const CLOCK_TOLERANCE_MS = 60_000;
const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

export const OPERATION_CHECKS: readonly ReadinessCheck[] = [
  {
    title: "NODE_ENV is production",
    why: "Other values allow open access and weak passwords on loopback; a proxy on the same machine also connects from there.",
    remedy: "Set NODE_ENV=production, and restart.",
    find: ({ config: { values } }) => (values.NODE_ENV === "production" ? ok : problemFinding)(`NODE_ENV is ${values.NODE_ENV}.`),
  },
  {
    title: "Users connect over HTTPS",
    why: "Without HTTPS, passwords, cookies and messages can be read in transit.",
    remedy: "Terminate TLS in a proxy, set PUBLIC_URL to the https URL, and restart.",
    find: ({ config: { https, values } }) => {
      if (https) return ok("PUBLIC_URL is an https URL.");
      return problemFinding(values.PUBLIC_URL === undefined ? "PUBLIC_URL is not set." : "PUBLIC_URL is an http URL.");
    },
  },
  {
    title: "Only the proxy can connect",
    why: "If the service listens on the network without a proxy, clients can connect without TLS.",
    remedy: "Set HOST=127.0.0.1, or TRUST_PROXY to the proxy's address, and restart.",
    find: ({ config: { values } }) => {
      const listenText = `The service listens on ${values.HOST}`;
      if (LOOPBACK_HOSTS.includes(values.HOST)) return ok(`${listenText}.`);
      return values.TRUST_PROXY.length > 0
        ? ok(`${listenText}, with a trusted proxy.`)
        : problemFinding(`${listenText}, without a trusted proxy.`);
    },
  },
  {
    title: "The proxy is trusted",
    why: "All clients of a proxy that is not trusted share one address, so anyone can lock out all new browsers.",
    remedy: "Set TRUST_PROXY to the proxy's address, and restart.",
    find: ({ untrustedProxy }) =>
      untrustedProxy === undefined
        ? ok("This process has received no requests from an untrusted proxy since it started.")
        : problemFinding(`Requests arrived through ${untrustedProxy}, which is not in TRUST_PROXY.`),
  },
  {
    title: "DATA_DIR is private",
    why: "Other users of the machine could read the database, its backups and the hashed secrets.",
    remedy: "Run chmod 700 on the DATA_DIR folder shown at /tools/env.",
    find: ({ isFolderOpen }) => (isFolderOpen ? problemFinding("Other users can open DATA_DIR.") : ok("Only this user can open DATA_DIR.")),
  },
  {
    title: "SQLite is on a local disk",
    why: "File locks on network disks are not reliable enough for SQLite, so the database can be damaged.",
    remedy: "Move DATA_DIR to a local disk, or use PostgreSQL.",
    find: ({ config: { values }, fileSystem }) => {
      if (values.DATABASE_URL !== undefined) return ok("The data is in PostgreSQL.");
      if (process.platform !== "linux") return unknownFinding("This can be checked on Linux only.");
      return fileSystem === undefined
        ? ok("DATA_DIR is not on a known network disk.")
        : problemFinding(`DATA_DIR is on a network disk (${fileSystem}).`);
    },
  },
  {
    title: "There is a recent backup",
    why: "Without a backup, a failed disk or a mistyped command can destroy all data.",
    remedy: "Run each day: npm run backup -- DATA_DIR/backups/DATE.sqlite, and copy the file to another machine.",
    find: ({ config: { values }, lastBackup, now }) => {
      if (values.DATABASE_URL !== undefined) return unknownFinding("Backups of PostgreSQL are not visible to this service.");
      if (lastBackup === undefined)
        return problemFinding("There is no backup in DATA_DIR/backups. Backups elsewhere are not visible to this service.");
      const lastBackupText = `The last backup in DATA_DIR/backups is from ${new Date(lastBackup.at).toISOString()}.`;
      return now - lastBackup.at > MAX_BACKUP_AGE_DAYS * DAY_MS ? problemFinding(lastBackupText) : ok(lastBackupText);
    },
  },
  {
    title: "The database schema is current",
    why: "Another version of Roomrack changed the database while this one was running.",
    remedy: "Stop all processes of other versions, and restart. /tools/dbsync shows how the schema differs.",
    find: ({ schemaDifferences }) => problemIfAny(schemaDifferences, "All of this version's migrations have been run, and no others."),
  },
  {
    title: "The clock is correct",
    why: "Sessions, lockouts and secrets expire according to the system clock. Log entries from the future are listed in the wrong order.",
    remedy: "Synchronise each machine's clock, for example with chrony or systemd-timesyncd.",
    find: ({ newestTime, now }) =>
      newestTime > now + CLOCK_TOLERANCE_MS
        ? problemFinding(`The clock was set back: the newest stored time is ${new Date(newestTime).toISOString()}.`)
        : ok("No stored time is in the future."),
  },
  {
    title: "Errors are reported",
    why: "Without a webhook, new errors are noticed only if someone opens the error log.",
    remedy: "Set ERROR_WEBHOOK_URL and ERROR_WEBHOOK_SECRET, and restart.",
    find: ({ config: { values } }) =>
      values.ERROR_WEBHOOK_URL === undefined ? problemFinding("ERROR_WEBHOOK_URL is not set.") : ok("New errors trigger the webhook."),
  },
];
