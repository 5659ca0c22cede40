import type { Html } from "../../../web/html.ts";
import { headingAnchor, parseMarkdown, plainText, renderTokens, type Token } from "../../../web/markdown.ts";

/** A section with its own page. `anchor` is empty for the introduction. `body` excludes the title. */
export type DocumentSection = { anchor: string; title: string; body: Html };

export type RenderedDocument = { title: string; sections: readonly DocumentSection[] };

/** Maps a link's target. If the result is undefined, only the link's text is kept. */
export type MapLink = (target: string) => string | undefined;

/** Maximum length in characters. A longer section is split into one page per subsection. */
const MAX_SECTION_LENGTH = 20_000;

type DocumentPart = { title: string; level: number; tokens: Token[] };

type ParsedPart = DocumentPart & { anchor: string };

/** `sectionByAnchor` maps each anchor to the anchor of its section. */
export type ParsedDocument = { parts: readonly ParsedPart[]; sectionByAnchor: ReadonlyMap<string, string> };

/** Parses a document. Its links are mapped later, when the anchors of all documents are known. */
export function parseDocument(markdown: string): ParsedDocument {
  const sectionByAnchor = new Map<string, string>();
  const parts = splitAtHeadings(parseMarkdown(markdown), 2)
    .flatMap((part) => (textSize(part) > MAX_SECTION_LENGTH ? splitAtHeadings(part.tokens, 3) : [part]))
    .map((part) => {
      const anchors = addAnchors(part.tokens);
      const anchor = part.level === 1 ? "" : anchors[0]!;
      for (const one of anchors) sectionByAnchor.set(one, anchor);
      return { ...part, anchor };
    });
  return { parts, sectionByAnchor };
}

export function renderDocument({ parts }: ParsedDocument, mapLink: MapLink): RenderedDocument {
  const sections = parts.map((part) => ({ title: part.title, anchor: part.anchor, body: renderBody(part, mapLink) }));
  return { title: sections[0]!.title, sections };
}

/** Splits the document at each heading of this level. The first part may start with a higher-level heading. */
function splitAtHeadings(tokens: readonly Token[], level: number): DocumentPart[] {
  const parts: DocumentPart[] = [];
  for (const [index, token] of tokens.entries()) {
    const isFirstPart = parts.length === 0;
    if (isFirstPart || (token.type === "heading_open" && token.tag === `h${level}`))
      parts.push({ title: plainText(tokens[index + 1]!), level: Number(token.tag.slice(1)), tokens: [] });
    parts.at(-1)!.tokens.push(token);
  }
  return parts;
}

function textSize({ tokens }: DocumentPart): number {
  return tokens.reduce((sum, token) => sum + token.content.length, 0);
}

/** Sets and returns the IDs of headings and of each error code's first row. */
function addAnchors(tokens: readonly Token[]): string[] {
  const anchors = new Set<string>();
  let firstHead = "";
  for (const [index, token] of tokens.entries()) {
    if (token.type === "thead_open") firstHead = tokens[index + 3]!.content;
    const anchor = anchorAt(tokens, index, firstHead);
    if (anchor === undefined || anchors.has(anchor)) continue;
    token.attrSet("id", anchor);
    anchors.add(anchor);
  }
  return [...anchors];
}

/** Returns the anchor of a heading, or of a table row (such as `code-402`) if the first column contains codes. */
function anchorAt(tokens: readonly Token[], index: number, firstHead: string): string | undefined {
  const { type } = tokens[index]!;
  if (type === "heading_open") return headingAnchor(plainText(tokens[index + 1]!));
  const isCodeRow = type === "tr_open" && tokens[index + 1]!.type === "td_open" && firstHead === "Code";
  return isCodeRow ? `code-${tokens[index + 2]!.content}` : undefined;
}

const TOKENS_PER_HEADING = 3;

/** Renders a section's body. The title becomes the page's h1, so the highest heading below it becomes an h2. */
function renderBody({ tokens, level }: DocumentPart, mapLink: MapLink): Html {
  const body = tokens.slice(TOKENS_PER_HEADING);
  for (const token of body) {
    if (token.type === "heading_open" || token.type === "heading_close") token.tag = `h${Number(token.tag.slice(1)) - level + 1}`;
    if (token.children) token.children = mapLinks(token.children, mapLink);
  }
  return renderTokens(body);
}

function mapLinks(tokens: readonly Token[], mapLink: MapLink): Token[] {
  let isRemoved = false;
  return tokens.filter((token) => {
    if (token.type === "link_close") return !isRemoved;
    if (token.type !== "link_open") return true;
    const target = mapLink(String(token.attrGet("href")));
    isRemoved = target === undefined;
    if (target !== undefined) token.attrSet("href", target);
    return !isRemoved;
  });
}
