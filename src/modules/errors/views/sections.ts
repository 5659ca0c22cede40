import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFrames } from "../../../errors/describe/grouping.ts";
import { caughtLabel, type ErrorEntry, type ErrorGroup, type Json } from "../../../errors/entry.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { cutText } from "./gaps.ts";
import { stateText } from "./group-panel.ts";

export type EntrySection = { title: string; note?: string; language: "json" | "text"; text: string; folded?: true };

export function entrySections({ detail }: ErrorEntry, excerpts: readonly SourceExcerpt[]): EntrySection[] {
  const { object, trace, server, get, session, extra } = detail;
  return [
    jsonSection("Object", object),
    { title: "Trace", language: "text", text: trace.join("\n") },
    jsonSection("SERVER", server),
    jsonSection("GET", get),
    jsonSection("SESSION", session),
    ...excerpts.map(sourceSection),
    ...Object.entries(extra).map(([name, value]) => extraSection(name, value)),
  ];
}

function sourceSection({ file, line, text }: SourceExcerpt, index: number): EntrySection {
  const section = { title: "Source code", note: `${file}, around line ${line} (current version)`, language: "text", text } as const;
  return index === 0 ? section : { ...section, folded: true };
}

const SECTION_TITLES: Readonly<Record<string, string>> = {
  cause: "Cause chain",
  properties: "Properties",
  report: "Report",
  requestId: "Request ID",
  userAgent: "User agent",
};

function extraSection(name: string, value: Json): EntrySection {
  const title = SECTION_TITLES[name] ?? name;
  if (typeof value === "string") return { title, language: "text", text: value };
  return name === "cause" && Array.isArray(value)
    ? { title, language: "text", text: value.map(causeText).join("\n\n") }
    : jsonSection(title, value);
}

function causeText(cause: Json): string {
  const { class: name, message, trace } = cause as { class: string; message: string; trace: string[] };
  return [`${name}: ${message}`, ...trace].join("\n");
}

function jsonSection(title: string, value: Json): EntrySection {
  return { title, language: "json", text: JSON.stringify(value, undefined, 2) };
}

export function groupSection({ count, firstAt, lastAt, ...group }: ErrorGroup): EntrySection {
  const { pattern, place } = group;
  const facts = {
    State: stateText(group),
    Count: count,
    "First seen": localMoment(firstAt),
    "Last seen": localMoment(lastAt),
    "Message pattern": pattern,
    Location: place,
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  return { title: "Group", language: "text", text: lines.join("\n") };
}

export function errorAsMarkdown(entry: ErrorEntry, sections: readonly EntrySection[]): string {
  const row = [localMoment(entry.at), entry.class, entry.message, entry.source, caughtLabel(entry.caught)];
  const table = ["| Date | Class | Message | Source | Caught |", "|---|---|---|---|---|", `| ${row.map(markdownCell).join(" | ")} |`];
  const cut = cutText(entry.detail);
  return [
    `# ${markdownCell(entry.class)}`,
    "",
    ...table,
    ...(cut === undefined ? [] : ["", cut]),
    ...sections.flatMap(markdownBlock),
    "",
  ].join("\n");
}

function markdownBlock({ title, language, text }: EntrySection): string[] {
  const fence = fenceFor(text);
  return ["", `## ${title}`, "", `${fence}${language}`, text, fence];
}

function markdownCell(text: string): string {
  return text.replaceAll(/[\\|<>`*_[\]#]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

/** Returns a fence longer than any run of backticks in the text, so that the text can't close the block. */
function fenceFor(text: string): string {
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(3, longestRun + 1));
}

const PROJECT_FOLDER = fileURLToPath(new URL("../../../../", import.meta.url));
const CODE_FILE_PATTERN = /\.(?:ts|mts|js|mjs|cjs)$/;
const CONTEXT_LINES = 5;
const MAX_EXCERPTS = 8;

export type SourceExcerpt = { file: string; line: number; text: string };

export async function readExcerpts(trace: readonly string[]): Promise<SourceExcerpt[]> {
  const frames = ownFrames(trace).slice(0, MAX_EXCERPTS);
  const excerpts = await Promise.all(frames.map(async ({ file, line }) => ({ file, line, text: await readExcerpt(file, line) })));
  return excerpts.filter((excerpt): excerpt is SourceExcerpt => excerpt.text !== undefined);
}

async function readExcerpt(file: string, line: number): Promise<string | undefined> {
  if (!CODE_FILE_PATTERN.test(file) || line < 1) return undefined;
  try {
    const realFile = await realpath(file);
    if (!realFile.startsWith(join(await realpath(PROJECT_FOLDER), "/"))) return undefined;
    return formatExcerpt((await readFile(realFile, "utf8")).split("\n"), line);
  } catch {
    return undefined;
  }
}

function formatExcerpt(lines: readonly string[], line: number): string | undefined {
  if (line > lines.length) return undefined;
  const first = Math.max(1, line - CONTEXT_LINES);
  const excerptLines = lines.slice(first - 1, line + CONTEXT_LINES);
  const width = String(first + excerptLines.length).length;
  return excerptLines
    .map((text, index) => `${first + index === line ? ">" : " "} ${String(first + index).padStart(width)}  ${text}`)
    .join("\n");
}
