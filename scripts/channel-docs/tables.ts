import { ALPINEBITS_VERSIONS } from "../../src/modules/channel/dialects/alpinebits.ts";
import type { ElementReference } from "../../src/modules/channel/elements/element.ts";
import { elements } from "../../src/modules/channel/elements/index.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { announceCapabilities } from "../../src/modules/channel/messages/ping/handshake.ts";
import { errors } from "./errors.ts";
import { limitRows } from "./limits.ts";

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Returns a table of a message's elements and attributes, and what Roomrack does with each one. */
export function renderElements(root: string): string {
  const rows = (elements[root] ?? []).flatMap((reference) => {
    const { element, meaning, is = "read" } = reference;
    const lines = listAttributeRows(reference);
    if (meaning !== "") return [[`\`${element}\``, "", KINDS[is], meaning], ...lines];
    return lines.map((line, index) => [index === 0 ? `\`${element}\`` : "", ...line.slice(1)]);
  });
  return renderTable(["Element", "Attribute", "Kind", "Meaning"], rows);
}

const KINDS = { read: "read", stored: "read", narrowing: "narrows", notStored: "not stored", harmless: "harmless" } as const;

function listAttributeRows({ attributes = [], narrowing = [], notStored, harmless }: ElementReference): string[][] {
  return [
    ...attributes.map(([names, text]) => ["", quoteNames(names), KINDS.read, text]),
    ...narrowing.map(([names, text]) => ["", quoteNames(names), KINDS.narrowing, text]),
    ...(notStored === undefined ? [] : [["", quoteNames(notStored), KINDS.notStored, "Causes a warning."]]),
    ...(harmless === undefined ? [] : [["", quoteNames(harmless), KINDS.harmless, "Has no effect."]]),
  ];
}

function quoteNames(names: string): string {
  return names
    .split(" ")
    .map((name) => `\`${name}\``)
    .join(", ");
}

/** Returns a table of all errors, sorted by code. */
export function renderErrors(): string {
  const rows = errors
    .toSorted((a, b) => a.fault.code! - b.fault.code!)
    .map(({ fault, http = "200", cause, remedy }) => [String(fault.code), String(fault.type), `\`${fault.text}\``, http, cause, remedy]);
  return renderTable(["Code", "Type", "Text", "HTTP", "Cause", "Remedy"], rows);
}

export function renderLimits(): string {
  return renderTable(["Item", "Limit", "Error code or effect if exceeded"], limitRows);
}

/** Returns a table of the capabilities that the handshake advertises, with a column for each version. */
export function renderCapabilities(): string {
  const { versions } = announceCapabilities(messages);
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
  return renderTable(["Action, capability", ...ALPINEBITS_VERSIONS], rows);
}
