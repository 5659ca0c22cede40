import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredProfile } from "../../modules/channel/profiles/knobs.ts";
import { UsageError } from "../command.ts";
import { parseProfile } from "../sender-profile.ts";

export type Sample = {
  file: string;
  /** The top-level folder that contains `file`, or `alpinebits/VERSION`. */
  source: string;
  version: string | undefined;
  expected: string;
  /** The sender's profile, if the list contains one. */
  profile: StoredProfile | undefined;
  read(): Buffer;
};

export function readSamples(folder: string): Sample[] {
  const list = join(folder, "SOURCES.tsv");
  if (!existsSync(list)) throw new UsageError(`No SOURCES.tsv in ${folder}.`);
  const [head = "", ...rows] = readFileSync(list, "utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const names = head.split("\t").map((name) => name.trim().toLowerCase());
  const missingColumns = ["file", "kind", "expected"].filter((name) => !names.includes(name));
  if (missingColumns.length > 0) throw new UsageError(`${list} has no column ${missingColumns.join(", ")}.`);
  const requests = rows.map((row) => splitRow(row, names)).filter(({ kind }) => kind?.toLowerCase() === "request");
  if (requests.length === 0) throw new UsageError(`${list} lists no requests.`);
  return requests.map((row) => toSample(folder, row));
}

type RowCells = Partial<Record<string, string>>;

function splitRow(row: string, names: readonly string[]): RowCells {
  return Object.fromEntries(row.split("\t").map((cell, index) => [names[index] ?? "", cell.trim()]));
}

function toSample(folder: string, { file = "", expected = "", profile = "" }: RowCells): Sample {
  const version = /(?:^|\/)(\d{4}-\d{2})\//.exec(file)?.[1];
  const source = version === undefined ? file.split("/")[0]! : `alpinebits/${version}`;
  return { file, source, version, expected, profile: sampleProfile(profile), read: () => readFileSync(join(folder, file)) };
}

/** Reads a preset with optional settings, such as `exely end=excluded`. */
function sampleProfile(words: string): StoredProfile | undefined {
  const [profile, ...set] = words.split(/\s+/).filter((word) => word !== "");
  return parseProfile({ profile, set });
}

const KNOWN_EXCEPTIONS: readonly { file: RegExp; reason: string }[] = [
  { file: /authored-bad\/30-json\.xml$/, reason: "JSON now has its own dialect: the response is HTTP 422 with problem details, not 415" },
  {
    file: /2018-10\/rules\/freerooms\/HotelAvailNotifRQ_err_bookingthreshold-null\.xml$/,
    reason:
      "BookingThreshold may only be sent if the handshake agreed on it, but HotelAvailNotifRQ_uniqueid-room-categories.xml, the same message, must be accepted",
  },
  {
    file: /2018-10\/rules\/freerooms\/HotelAvailNotifRQ_err_bookingthreshold-not-null\.xml$/,
    reason:
      "BookingThreshold must only be omitted for servers that do not announce it, but messages/FreeRooms-OTA_HotelAvailNotifRQ.xml sends it and must be accepted",
  },
];

export function findException(file: string): string | undefined {
  return KNOWN_EXCEPTIONS.find((exception) => exception.file.test(file))?.reason;
}
