import { readFileSync } from "node:fs";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";

export type NamedFact = { name: string; value: string | number; mark?: "ok" | "warn" };
export type FactGroup = { title: string; facts: readonly NamedFact[] };

export function factTable({ title, facts }: FactGroup): Html {
  return html`<section>
    <h2>${title}</h2>
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table class="table">
        <tbody>
          ${mapHtml(
            facts,
            (fact) =>
              html`<tr>
                <th scope="row">${fact.name}</th>
                <td>${fact.value} ${factMark(fact)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function factMark({ mark }: NamedFact): Html {
  if (mark === undefined) return emptyHtml;
  return mark === "ok" ? html`<span class="badge good">OK</span>` : html`<span class="badge warn">check</span>`;
}

export function factsAsMarkdown(groups: readonly FactGroup[]): string {
  const sections = groups.map(({ title, facts }) => [`## ${title}`, "", "| | |", "|---|---|", ...facts.map(markdownRow), ""].join("\n"));
  return sections.join("\n");
}

function markdownRow({ name, value, mark }: NamedFact): string {
  const text = String(value).replaceAll("|", "\\|").replaceAll("\n", " ");
  return `| ${name} | ${text}${mark === "warn" ? " **(check)**" : ""} |`;
}

export function codeList(list: readonly string[]): Html {
  return list.length === 0
    ? html`<span class="muted">–</span>`
    : html`${mapHtml(list, (word, index) => html`${index > 0 && ", "}<code>${word}</code>`)}`;
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function formatBytes(bytes: number): string {
  const unitIndex = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unitIndex;
  return `${value.toFixed(unitIndex === 0 || value >= 100 ? 0 : 1)} ${BYTE_UNITS[unitIndex]}`;
}

/** Formats a duration with at most two units, such as `3 d 4 h`, or as `12.3 s` if it is under a minute. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const wholeSeconds = Math.floor(seconds);
  const parts = [
    [Math.floor(wholeSeconds / 86_400), "d"],
    [Math.floor((wholeSeconds % 86_400) / 3600), "h"],
    [Math.floor((wholeSeconds % 3600) / 60), "min"],
    [wholeSeconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  const shownParts = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shownParts.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

export function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const PACKAGE_FILE = new URL("../../../package.json", import.meta.url);

export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE_FILE, "utf8")) as { version: string }).version;
}
