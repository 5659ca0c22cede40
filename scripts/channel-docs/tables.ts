import { ALPINEBITS_VERSIONS } from "../../src/modules/channel/dialects/alpinebits.ts";
import type { ElementReference } from "../../src/modules/channel/elements/element.ts";
import { elements } from "../../src/modules/channel/elements/index.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { announce } from "../../src/modules/channel/messages/ping/handshake.ts";
import { errors } from "./errors.ts";
import { limitRows } from "./limits.ts";

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The elements and attributes of a message, and what happens to each. */
export function elementTable(root: string): string {
  const rows = (elements[root] ?? []).flatMap((reference) => {
    const { element, meaning, is = "read" } = reference;
    const lines = attributeRows(reference);
    if (meaning !== "") return [[`\`${element}\``, "", KINDS[is], meaning], ...lines];
    return lines.map((line, index) => [index === 0 ? `\`${element}\`` : "", ...line.slice(1)]);
  });
  return tableOf(["Element", "Attribute", "Kind", "Meaning"], rows);
}

const KINDS = { read: "read", stored: "read", narrowing: "narrows", notStored: "not stored", harmless: "harmless" } as const;

function attributeRows({ attributes = [], narrowing = [], notStored, harmless }: ElementReference): string[][] {
  return [
    ...attributes.map(([names, text]) => ["", namesOf(names), KINDS.read, text]),
    ...narrowing.map(([names, text]) => ["", namesOf(names), KINDS.narrowing, text]),
    ...(notStored === undefined ? [] : [["", namesOf(notStored), KINDS.notStored, "Causes a warning."]]),
    ...(harmless === undefined ? [] : [["", namesOf(harmless), KINDS.harmless, "Has no effect."]]),
  ];
}

function namesOf(names: string): string {
  return names
    .split(" ")
    .map((name) => `\`${name}\``)
    .join(", ");
}

/** All errors by code. */
export function errorTable(): string {
  const rows = errors
    .toSorted((a, b) => a.fault.code! - b.fault.code!)
    .map(({ fault, http = "200", cause, remedy }) => [String(fault.code), String(fault.type), `\`${fault.text}\``, http, cause, remedy]);
  return tableOf(["Code", "Type", "Text", "HTTP", "Cause", "Remedy"], rows);
}

export function limitTable(): string {
  return tableOf(["What", "Limit", "If exceeded"], limitRows);
}

/** The capabilities of the handshake, with a column for each version. */
export function announcedTable(): string {
  const { versions } = announce(messages);
  const actions = new Map<string, Set<string>>();
  for (const { action, supports = [] } of versions.flatMap((version) => version.actions ?? [])) {
    actions.set(action, new Set([...(actions.get(action) ?? []), ...supports]));
  }
  const cells = (name: string) =>
    versions.map(({ actions: list = [] }) => (list.some((one) => one.action === name || one.supports?.includes(name)) ? "yes" : "-"));
  const rows = [...actions].flatMap(([action, capabilities]) => [
    [`\`${action}\``, ...cells(action)],
    ...[...capabilities].map((one) => [`· \`${one}\``, ...cells(one)]),
  ]);
  return tableOf(["Action, capability", ...ALPINEBITS_VERSIONS], rows);
}
