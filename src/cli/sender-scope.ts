import type { Database } from "../db/database.ts";
import { narrowScope, widenScope } from "../modules/channel/senders/edit-store.ts";
import { isPropertyCode } from "../records/property/property.ts";
import { findProperty } from "../records/property/store.ts";
import { UsageError } from "./command.ts";
import { byCommand, reportChange, EFFECT_DELAY_TEXT } from "./sender-report.ts";

type CommandArguments = { name: string; more: readonly string[]; options: { all?: boolean } };
type CommandAction = (database: Database) => Promise<string>;

export function checkProperties(properties: readonly string[]): void {
  const invalidCode = properties.find((code) => !isPropertyCode(code));
  if (invalidCode !== undefined) throw new UsageError(`'${invalidCode}' is not a valid property code.`);
}

export async function warnOfUnknownProperties(database: Database, properties: readonly string[]): Promise<string[]> {
  const codes = [...new Set(properties)];
  const foundProperties = await Promise.all(codes.map((code) => findProperty(database, code)));
  return codes.filter((_, index) => foundProperties[index] === undefined).map((code) => `Property ${code} does not exist yet.`);
}

/** Limits a sender to fewer properties. Never adds access. */
export function limitProperties({ name, more: hotels }: CommandArguments): CommandAction {
  return async (database) => {
    const result = await narrowScope(database, { name, hotels }, byCommand());
    if (result === "wider")
      throw new UsageError(
        `Sender ${name} has no access to some of these properties. To add them: npm run sender -- widen ${name} PROPERTY ...`,
      );
    const message = `Limited sender ${name} to ${hotels.join(", ")}. ${EFFECT_DELAY_TEXT}`;
    return reportChange(
      database,
      { name, result },
      { done: message, unchanged: `Sender ${name} was already limited to these properties.` },
    );
  };
}

export function allowMoreProperties({ name, more, options: { all = false } }: CommandArguments): CommandAction {
  if (all === more.length > 0) throw new UsageError("Specify the properties to add, or use --all.");
  const hotels = all ? undefined : more;
  return async (database) => {
    const result = await widenScope(database, { name, hotels }, byCommand());
    const message = `Sender ${name} now also has access to ${hotels?.join(", ") ?? "all other properties"}. ${EFFECT_DELAY_TEXT}`;
    const text = await reportChange(database, { name, result }, { done: message, unchanged: `Sender ${name} already had this access.` });
    return [text, ...(await warnOfUnknownProperties(database, more))].join("\n");
  };
}
