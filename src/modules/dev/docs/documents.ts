import { readFile } from "node:fs/promises";
import { basename, posix } from "node:path";
import { html, type Path } from "../../../web/html.ts";
import { path, withQuery } from "../../../web/path.ts";
import { findExample } from "../console/examples.ts";
import { type RenderedDocument, type MapLink, parseDocument, renderDocument } from "./document.ts";

const DOCS_FOLDER = new URL("../../../../docs/", import.meta.url);

export const DOCUMENT_DESCRIPTIONS = {
  channel: "For senders: every message, element, error and warning.",
  integration: "For booking engines: tokens, snapshots and the change feed.",
  operations: "For operators: installation, settings, backups and upgrades.",
  security: "For administrators: threats, protections and their limits.",
} as const;

type DocumentName = keyof typeof DOCUMENT_DESCRIPTIONS;
const DOCUMENT_NAMES = Object.keys(DOCUMENT_DESCRIPTIONS) as DocumentName[];

export function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(DOCUMENT_DESCRIPTIONS, name);
}

let all: Promise<ReadonlyMap<DocumentName, RenderedDocument>> | undefined;

/** Returns the documents in docs/ that are served. They are read only once. */
export function loadDocuments(): Promise<ReadonlyMap<DocumentName, RenderedDocument>> {
  all ??= readAllDocuments();
  return all;
}

async function readAllDocuments(): Promise<ReadonlyMap<DocumentName, RenderedDocument>> {
  const markdownFiles = await Promise.all(DOCUMENT_NAMES.map((name) => readFile(new URL(`${name}.md`, DOCS_FOLDER), "utf8")));
  const parsedDocuments = new Map(DOCUMENT_NAMES.map((name, index) => [name, parseDocument(markdownFiles[index]!)]));
  const linkUrl = (name: DocumentName, anchor: string) =>
    sectionUrl(name, parsedDocuments.get(name)!.sectionByAnchor.get(anchor) ?? "", anchor);
  return new Map([...parsedDocuments].map(([name, document]) => [name, renderDocument(document, linkMapper(name, linkUrl))]));
}

type SectionUrl = (name: DocumentName, anchor: string) => string;

/**
 * Maps links to other documents, and links to examples to the console. Removes links to other repository files, such as decisions, because
 * these are not served.
 */
function linkMapper(from: DocumentName, linkUrl: SectionUrl): MapLink {
  return (target) => {
    if (/^https?:/.test(target)) return target;
    const [file = "", anchor = ""] = target.split("#", 2);
    const name = file === "" ? from : DOCUMENT_NAMES.find((known) => file === `${known}.md`);
    if (name !== undefined) return linkUrl(name, anchor);
    const example = basename(file, posix.extname(file));
    return findExample(example) && pathText(withQuery(path`/dev/channel`, { example }));
  };
}

function sectionUrl(name: string, section: string, anchor: string): string {
  return pathText(sectionPath(name, section)) + (anchor === "" || anchor === section ? "" : `#${anchor}`);
}

export function sectionPath(name: string, section: string): Path {
  return section === "" ? path`/dev/docs/${name}` : path`/dev/docs/${name}/${section}`;
}

/** Returns the path with the prefix placeholder, as in a rendered attribute. */
function pathText(to: Path): string {
  return html`${to}`.text;
}

export function errorDocs(code: number): Path {
  return path`/dev/docs/channel/errors#code-${code}`;
}

export const ERROR_DOCS_PATH = path`/dev/docs/channel/errors`;
export const WARNING_DOCS_PATH = path`/dev/docs/channel/warnings`;
