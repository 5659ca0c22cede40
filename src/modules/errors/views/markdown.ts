import { caughtWord, type ErrorEntry } from "../../../errors/entry.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { cutText } from "./cut-note.ts";
import type { Section } from "./sections.ts";

/** The detail page for a ticket or a chat. */
export function errorAsMarkdown(entry: ErrorEntry, sections: readonly Section[]): string {
  const row = [localMoment(entry.at), entry.class, entry.message, entry.source, caughtWord(entry.caught)];
  const table = ["| Date | Class | Message | Source | Caught |", "|---|---|---|---|---|", `| ${row.map(cell).join(" | ")} |`];
  const cut = cutText(entry.detail);
  return [`# ${cell(entry.class)}`, "", ...table, ...(cut === undefined ? [] : ["", cut]), ...sections.flatMap(block), ""].join("\n");
}

function block({ title, language, text }: Section): string[] {
  const fence = fenceFor(text);
  return ["", `## ${title}`, "", `${fence}${language}`, text, fence];
}

function cell(text: string): string {
  return text.replaceAll(/[\\|<>`*_[\]#]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

/** Longer than every run of backticks inside, so that the text cannot leave its block. */
function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(3, longest + 1));
}
