/**
 * The one place where HTML is made. Values in the holes of the tag are escaped, unless they are `Html` already.
 * `null` and `undefined` in a hole do not compile; should one arrive at run time, `TemplateRuntimeError` is thrown.
 */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A path below the root of the service; rendered with the path prefix of `PUBLIC_URL`. Made by the tag `path`. */
export class Path {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a hole takes: `false` and an empty list render as nothing. */
export type Hole = string | number | false | Html | Path | readonly Html[];

/** Rendering met a null where text is expected. */
export class TemplateRuntimeError extends Error {
  override readonly name = "TemplateRuntimeError";

  constructor(detail: string) {
    super(`An exception has been thrown during the rendering of a template ("${detail}")`);
  }
}

/** Nothing, where a template wants Html. */
export const nothing = new Html("");

/** Makes Html from a template; each hole is text or an attribute's value in double quotes, never a name, script, style or comment. */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  let text = parts[0]!;
  for (let i = 0; i < holes.length; i++) text += render(holes[i]!, i) + parts[i + 1]!;
  return new Html(text);
}

/** Html of every item, one after the other. */
export function each<T>(items: Iterable<T>, template: (item: T, index: number) => Html): Html {
  let text = "";
  let index = 0;
  for (const item of items) text += template(item, index++).text;
  return new Html(text);
}

/** A document or fragment as text, its paths below `prefix` (empty, or like `/rooms`). */
export function toText(content: Html, prefix: string): string {
  return content.text.replaceAll(PREFIX_MARK, prefix);
}

/** Stands for the path prefix in rendered text; `escape` lets no such character through. */
const PREFIX_MARK = "\u0001";

function render(hole: Hole, index: number): string {
  if (typeof hole === "string") return escape(hole);
  if (typeof hole === "number") return String(hole);
  if (hole === false) return "";
  if (hole instanceof Html) return hole.text;
  if (hole instanceof Path) return PREFIX_MARK + escape(hole.text);
  if (Array.isArray(hole)) return hole.map((one: Html) => render(one, index)).join("");
  throw new TemplateRuntimeError(`Hole #${index + 1} must be of type string, ${hole === null ? "null" : typeof hole} given`);
}

/** With what XML has no place for, as errors are told in it, too. */
const UNSAFE = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const EVERY_UNSAFE = new RegExp(UNSAFE, "g");
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replaceAll(EVERY_UNSAFE, (character) => ENTITIES[character] ?? "\ufffd");
}
