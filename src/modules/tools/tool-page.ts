import type { Typed } from "../../web/form.ts";
import { html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Tool, ToolContent } from "./tool.ts";

/** A view with its page; `query` is kept by the link to JSON. */
export type ShownTool = { view: unknown; content: ToolContent; refusal: string | undefined; query: Typed };

/** The page of one tool, with what all of them have: the way back, JSON, and the text to copy. */
export function toolPage(tool: Tool, shown: ShownTool): Page {
  const { view, content, refusal, query } = shown;
  const copy = content.copy ?? { label: "JSON", text: JSON.stringify(view, undefined, 2) };
  return {
    title: tool.title,
    section: "tools",
    wide: true,
    lead: tool.about,
    ...(refusal === undefined ? {} : { status: 409, refused: true }),
    actions: html`<a class="button" href="${path`/tools`}">All tools</a>
      <a class="button" href="${withQuery(path`/tools/${tool.slug}`, { ...query, format: "json" })}">JSON</a>
      <button type="button" data-copy="copy-text">Copy as ${copy.label}</button>`,
    main: html`${refusal === undefined ? nothing : html`<p class="notice bad" role="alert">${refusal}</p>`} ${content.main}
      <details>
        <summary>This page as ${copy.label}</summary>
        <pre id="copy-text" tabindex="0">${copy.text}</pre>
      </details>`,
  };
}
