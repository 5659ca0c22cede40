import { relativeTimeText } from "../text.ts";

/** Escaped HTML. `html` escapes inserted values unless they are `Html`. `null` and `undefined` throw `TemplateRuntimeError`. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A path within the service, created by `path`. The path prefix in `PUBLIC_URL` is added when a page is rendered. */
export class Path {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type TemplateValue = string | number | false | Html | Path | readonly Html[];

export class TemplateRuntimeError extends Error {
  override readonly name = "TemplateRuntimeError";

  constructor(detail: string) {
    super(`An exception has been thrown during the rendering of a template ("${detail}")`);
  }
}

export const emptyHtml = new Html("");

/** Renders a template. A value can be text or a double-quoted attribute value, but not a name, script, style or comment. */
export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  let text = parts[0]!;
  for (let i = 0; i < values.length; i++) text += renderValue(values[i]!, i) + parts[i + 1]!;
  return new Html(text);
}

export function mapHtml<T>(items: Iterable<T>, template: (item: T, index: number) => Html): Html {
  let text = "";
  let index = 0;
  for (const item of items) text += template(item, index++).text;
  return new Html(text);
}

/** Formats a time in milliseconds since 1970, such as `3 min ago`. */
export function relativeTime(at: number): Html {
  return new Html(`${TIME_MARK}${at}${TIME_MARK}`);
}

/** Renders HTML as text. `prefix` is the service's path prefix, such as `/rooms`, or empty. Times are relative to `now`. */
export function toText(content: Html, { prefix, now }: { prefix: string; now: number }): string {
  return content.text.replaceAll(PREFIX_MARK, prefix).replaceAll(MARKED_TIME_PATTERN, (_, at: string) => relativeTimeText(now, Number(at)));
}

/** Placeholders for the path prefix and relative times, filled in when a page is sent. `escapeHtml` removes these characters from text. */
const PREFIX_MARK = "\u0001";
const TIME_MARK = "\u0002";
const MARKED_TIME_PATTERN = /\u0002(-?\d+)\u0002/g;

function renderValue(value: TemplateValue, index: number): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if (value === false) return "";
  if (value instanceof Html) return value.text;
  if (value instanceof Path) return PREFIX_MARK + escapeHtml(value.text);
  if (Array.isArray(value)) return value.map((one: Html) => renderValue(one, index)).join("");
  throw new TemplateRuntimeError(`Value #${index + 1} must be of type string, ${value === null ? "null" : typeof value} given`);
}

/** Includes characters that XML doesn't allow, because errors are also sent as XML. */
const UNSAFE_PATTERN = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const EVERY_UNSAFE_PATTERN = new RegExp(UNSAFE_PATTERN, "g");
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  if (!UNSAFE_PATTERN.test(text)) return text;
  return text.replaceAll(EVERY_UNSAFE_PATTERN, (character) => ENTITIES[character] ?? "\ufffd");
}
