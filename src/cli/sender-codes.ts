import type { Database } from "../db/database.ts";
import { type CodeKind, listCodes, removeCode, type SenderCode, setCode } from "../modules/channel/senders/code-store.ts";
import { findSender } from "../modules/channel/senders/store.ts";
import { findCategory } from "../records/category/store.ts";
import { isPropertyCode } from "../records/property/property.ts";
import { findProperty } from "../records/property/store.ts";
import { UsageError } from "./command.ts";
import { byCommand, reportChange, unknownSender, EFFECT_DELAY_TEXT } from "./sender-report.ts";

type CommandArguments = { name: string; more: readonly string[] };
type CommandAction = (database: Database) => Promise<string>;

const CODE_KINDS: readonly CodeKind[] = ["property", "category", "plan"];

/** Parses a code. Category and plan codes are prefixed with our property code, such as `ALP/D1`. */
function readCode([kind, code = ""]: readonly string[]): Omit<SenderCode, "target"> {
  const knownKind = CODE_KINDS.find((one) => one === kind);
  if (!knownKind) throw new UsageError(`'${kind}' is not a kind of code. Allowed: ${CODE_KINDS.join(", ")}.`);
  if (knownKind === "property") return { kind: knownKind, property: "", code };
  const slashIndex = code.indexOf("/");
  const property = code.slice(0, Math.max(0, slashIndex));
  if (!isPropertyCode(property) || slashIndex === code.length - 1)
    throw new UsageError(`Specify a ${knownKind} with its property, such as ALP/D1, not '${code}'.`);
  return { kind: knownKind, property, code: code.slice(slashIndex + 1) };
}

export function map({ name, more }: CommandArguments): CommandAction {
  const target = more[2]!;
  const code = readCode(more);
  return async (database) => {
    const result = await setCode(database, { ...code, sender: name, target }, byCommand());
    if (result === "duplicate") throw new UsageError(`Sender ${name} already has a different code for ${target}. Remove it with unmap.`);
    const mappingText = (adverb: string) => `Sender ${name}'s ${code.kind} ${code.code} ${adverb} maps to our ${target}.`;
    const text = await reportChange(
      database,
      { name, result },
      { done: `${mappingText("now")} ${EFFECT_DELAY_TEXT}`, unchanged: mappingText("already") },
    );
    return [text, ...(await warnOfMissing(database, code, target))].join("\n");
  };
}

async function warnOfMissing(database: Database, { kind, property }: Omit<SenderCode, "target">, target: string): Promise<string[]> {
  if (kind === "property" && !(await findProperty(database, target))) return [`Property ${target} does not exist yet.`];
  const isMissing = kind === "category" && !(await findCategory(database, property, target));
  return isMissing ? [`Category ${target} of property ${property} does not exist yet.`] : [];
}

export function unmapCode({ name, more }: CommandArguments): CommandAction {
  const code = readCode(more);
  return async (database) => {
    if (!(await findSender(database, name))) throw await unknownSender(database, name);
    if (!(await removeCode(database, { ...code, sender: name }, byCommand()))) throw new UsageError(`Sender ${name} has no such code.`);
    return `Removed code ${code.code} from sender ${name}. ${EFFECT_DELAY_TEXT}`;
  };
}

export function listMappedCodes({ name }: CommandArguments): CommandAction {
  return async (database) => {
    if (!(await findSender(database, name))) throw await unknownSender(database, name);
    const codes = await listCodes(database, name);
    if (codes.length === 0) return `Sender ${name} has no mapped codes. To map one: npm run sender -- map ${name} KIND CODE TARGET`;
    return codes
      .map(({ kind, property, code, target }) => `${kind}  ${property === "" ? "" : `${property}/`}${code}  ${target}`)
      .join("\n");
  };
}
