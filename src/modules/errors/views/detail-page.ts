import type { ErrorEntry, Json } from "../../../errors/entry.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { path, withQuery } from "../../../web/path.ts";
import { asCurl } from "../../../web/shell-command.ts";
import { cutText } from "./gaps.ts";
import { actionErrors, type ActionForm, refusalStatus } from "./group-form.ts";
import { groupPanel, type GroupView } from "./group-panel.ts";
import { entryTable, LIST_PATH } from "./list-page.ts";
import { errorAsMarkdown, type SourceExcerpt, groupSection, type EntrySection, entrySections } from "./sections.ts";

export type EntryView = { entry: ErrorEntry; excerpts: readonly SourceExcerpt[]; group: GroupView | undefined; form: ActionForm };

export function errorDetailPage({ entry, excerpts, group, form }: EntryView): Page {
  const entryPath = path`/tools/errors/${entry.id}`;
  const sections = entrySections(entry, excerpts);
  const curl = requestAsCurl(entry);
  const cut = cutText(entry.detail);
  return {
    title: entry.class,
    ...refusalStatus(form),
    wide: true,
    actions: html`<a class="button" href="${LIST_PATH}">Error log</a>
      <a class="button" href="${withQuery(LIST_PATH, { class: entry.class })}">All errors of this class</a>
      <a class="button" href="#group">Group${group === undefined ? "" : `: ${group.group.state}`}</a>
      <a class="button" href="${withQuery(entryPath, { format: "json" })}">JSON</a>
      <a class="button" href="${withQuery(entryPath, { format: "markdown" })}">Markdown</a>
      <button type="button" data-copy="as-markdown">Copy as Markdown</button>
      ${curl === undefined ? emptyHtml : html`<button type="button" data-copy="as-curl">Copy as cURL</button>`}`,
    main: html`${actionErrors(form)} ${entryTable([entry], "plain")} ${cut === undefined ? emptyHtml : html`<p class="notice">${cut}</p>`}
      ${mapHtml(sections, sectionBlock)} ${groupPanel(group, form)}
      <details>
        <summary>This page as Markdown</summary>
        <pre id="as-markdown" tabindex="0">${errorAsMarkdown(entry, [...sections, ...(group ? [groupSection(group.group)] : [])])}</pre>
      </details>
      ${curl === undefined ? emptyHtml : curlBlock(curl)}`,
  };
}

function curlBlock(curl: string): Html {
  return html`<details>
    <summary>Request as cURL (without body)</summary>
    <pre id="as-curl" tabindex="0">${curl}</pre>
  </details>`;
}

function sectionBlock({ title, note, text, folded }: EntrySection, index: number): Html {
  if (folded)
    return html`<details>
      <summary>${note ?? title}</summary>
      <pre tabindex="0">${text}</pre>
    </details>`;
  return html`<section aria-labelledby="s-${index}">
    <h2 id="s-${index}">${title}</h2>
    ${note === undefined ? emptyHtml : html`<p class="hint">${note}</p>`}
    <pre tabindex="0">${text}</pre>
  </section>`;
}

export function requestAsCurl({ source, detail: { server, cut } }: ErrorEntry): string | undefined {
  const [method, uri, scheme, host, port] = SHOWN_VARIABLES.map((name) => valueText(server[name]));
  if (source !== "php" || !uri || cut === "repeat") return undefined;
  const url = uri.startsWith("/") ? `${scheme}://${host || `localhost:${port}`}${uri}` : uri;
  return asCurl({ method: method ?? "", url, headers: requestHeaders(server) });
}

const SHOWN_VARIABLES = ["REQUEST_METHOD", "REQUEST_URI", "REQUEST_SCHEME", "HTTP_HOST", "SERVER_PORT"] as const;

function requestHeaders(server: Readonly<Record<string, Json>>): Record<string, string> {
  const headers = Object.entries(server).filter(([name]) => name.startsWith("HTTP_"));
  return Object.fromEntries(
    headers.map(([name, value]) => [name.slice("HTTP_".length).toLowerCase().replaceAll("_", "-"), valueText(value)]),
  );
}

function valueText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
