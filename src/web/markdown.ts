import MarkdownIt, { type Token } from "markdown-it";
import { Html } from "./html.ts";

export type { Token } from "markdown-it";

const markdown = new MarkdownIt({ html: true });

/** Removes HTML. The only HTML in the documents is comments, which mark generated parts. */
markdown.renderer.rules.html_block = () => "";
markdown.renderer.rules.html_inline = () => "";
markdown.renderer.rules.fence = (tokens, index) => {
  const code = markdown.utils.escapeHtml(tokens[index]!.content);
  return `<pre tabindex="0" role="region" aria-label="Example"><code>${code}</code></pre>\n`;
};
markdown.renderer.rules.table_open = () => `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table class="table">\n`;
markdown.renderer.rules.table_close = () => "</table></div>\n";
markdown.renderer.rules.th_open = () => `<th scope="col">`;

export function parseMarkdown(text: string): Token[] {
  return markdown.parse(text, {});
}

export function renderTokens(tokens: Token[]): Html {
  return new Html(markdown.renderer.render(tokens, markdown.options, {}));
}

/** Returns an inline token's text without markup. */
export function plainText({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

/** Returns the anchor that GitHub generates for a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
