import { ALPINEBITS_VERSIONS } from "../../src/modules/channel/dialects/alpinebits.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { announce } from "../../src/modules/channel/messages/ping/handshake.ts";
import { elements } from "./elements.ts";
import { errors } from "./errors.ts";
import { limitRows } from "./limits.ts";

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The elements and attributes of a message. */
export function elementTable(root: string): string {
  const rows = (elements[root] ?? []).flatMap(({ element, meaning, attributes = [] }) => {
    const lines = attributes.map(([names, text]) => ["", namesOf(names), text]);
    if (meaning !== "") return [[`\`${element}\``, "", meaning], ...lines];
    return lines.map(([, names, text], index) => [index === 0 ? `\`${element}\`` : "", names!, text!]);
  });
  return tableOf(["Element", "Attribute", "Meaning"], rows);
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
  return tableOf(["What", "Limit", "Beyond it"], limitRows);
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
