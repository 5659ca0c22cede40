import type { ErrorEntry, Json } from "../../../errors/entry.ts";
import type { ErrorGroup } from "../../../errors/storage/group.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import type { Excerpt } from "./source-lines.ts";
import { stateText } from "./state-note.ts";

/** A titled block of text on the detail page and in its Markdown; one that is folded is opened below the one before it. */
export type Section = { title: string; note?: string; language: "json" | "text"; text: string; folded?: true };

/** Object, Trace, SERVER, GET and SESSION, in this order, then the panels for what else is known. */
export function sectionsOf({ detail }: ErrorEntry, excerpts: readonly Excerpt[]): Section[] {
  const { object, trace, server, get, session, extra } = detail;
  return [
    json("Object", object),
    { title: "Trace", language: "text", text: trace.join("\n") },
    json("SERVER", server),
    json("GET", get),
    json("SESSION", session),
    ...excerpts.map(sourceSection),
    ...Object.entries(extra).map(([name, value]) => panel(name, value)),
  ];
}

function sourceSection({ file, line, text }: Excerpt, index: number): Section {
  const section = { title: "Source code", note: `${file}, around line ${line}, as it is now`, language: "text", text } as const;
  return index === 0 ? section : { ...section, folded: true };
}

/** What the Markdown tells of the group. */
export function groupSection({ count, firstAt, lastAt, ...group }: ErrorGroup): Section {
  const { pattern, place } = group;
  const facts = {
    State: stateText(group),
    Times: count,
    First: localMoment(firstAt),
    Last: localMoment(lastAt),
    Message: pattern,
    Place: place,
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  return { title: "Group", language: "text", text: lines.join("\n") };
}

const TITLES: Readonly<Record<string, string>> = {
  cause: "Cause chain",
  properties: "Properties",
  report: "Report",
  requestId: "Request id",
  userAgent: "User agent",
};

function panel(name: string, value: Json): Section {
  const title = TITLES[name] ?? name;
  if (typeof value === "string") return { title, language: "text", text: value };
  return name === "cause" && Array.isArray(value)
    ? { title, language: "text", text: value.map(causeText).join("\n\n") }
    : json(title, value);
}

function causeText(cause: Json): string {
  const { class: name, message, trace } = cause as { class: string; message: string; trace: string[] };
  return [`${name}: ${message}`, ...trace].join("\n");
}

function json(title: string, value: Json): Section {
  return { title, language: "json", text: JSON.stringify(value, undefined, 2) };
}
