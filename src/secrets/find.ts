import { isSecretField, isSecretName, mayContainSecretName, secretNamePatterns } from "./names.ts";
import { findAssignedValue, findElementEnd, isNamePart, findJsonValue, type TextRange, toRange } from "./values.ts";

const FIELD_PATTERN = /[?&](?:amp;)?(?:code|key)=/gi;
const FIRST_FIELD_PATTERN = /^(?:code|key)=/i;
const PART_PATTERN = /content-disposition:/gi;
const PART_NAME_PATTERN = /[;\s]name=(?:"([^"\n]*)|([^;\s]*))/i;
const AUTHORITY_PATTERN = /:\/\//g;
const AUTHORITY_END_PATTERN = /[\s/?#"<>]/g;
const TAG_END_PATTERN = />/g;
const BLANK_LINE_PATTERN = /\n\r?\n/g;

const OTHER_MARKS_PATTERN = /@|(?:code|key)=|content-disposition:/i;

const SHORT_TEXT_LENGTH = 1_000;
const MAX_MARKS = 50_000;
const MAX_NAME_LENGTH = 200;
const MAX_LINE_LENGTH = 300;

/** After `maxMarks` candidates, the rest of the text is treated as a secret. `isXml` skips the search for multipart forms. */
export type SearchOptions = { maxMarks?: number; isXml?: boolean };

/**
 * Finds values with secret names in XML, JSON, forms, queries and URLs, even if these are mixed or truncated. Returns the values' ranges in
 * order. Takes linear time, even for malicious input.
 */
export function findSecrets(text: string, options: SearchOptions = {}): TextRange[] {
  if (text.length < SHORT_TEXT_LENGTH && !OTHER_MARKS_PATTERN.test(text) && !mayContainSecretName(text)) return [];
  return new SecretSearch(text, options).run();
}

class SecretSearch {
  readonly #text: string;
  readonly #maxMarks: number;
  readonly #fields: SecretFinder;
  readonly #users: SecretFinder;
  readonly #parts: SecretFinder;
  readonly #marks: readonly SecretFinder[];
  readonly #tagEnds: SecretFinder;
  readonly #blankLines: SecretFinder;
  readonly #found: TextRange[] = [];
  #at = 0;
  /** The open element with a secret name. Its content starts at `from`. */
  #element: { name: string; from: number } | undefined;

  constructor(text: string, { maxMarks = MAX_MARKS, isXml = false }: SearchOptions) {
    this.#text = text;
    this.#maxMarks = maxMarks;
    this.#fields = new SecretFinder(text, FIELD_PATTERN);
    this.#users = new SecretFinder(text.includes("@") ? text : "", AUTHORITY_PATTERN);
    this.#parts = new SecretFinder(isXml ? "" : text, PART_PATTERN);
    this.#marks = [this.#fields, this.#users, this.#parts, ...secretNamePatterns().map((pattern) => new SecretFinder(text, pattern))];
    this.#tagEnds = new SecretFinder(text, TAG_END_PATTERN);
    this.#blankLines = new SecretFinder(text, BLANK_LINE_PATTERN);
  }

  run(): TextRange[] {
    const first = FIRST_FIELD_PATTERN.exec(this.#text)?.[0];
    if (first !== undefined) this.#take(findAssignedValue(this.#text, first.length - 1));
    for (let marks = 0; marks < this.#maxMarks; marks++) {
      const mark = this.#nextMark();
      if (this.#element && mark.found >= this.#element.from) this.#takeContent(this.#element);
      else if (mark.found === Infinity) return this.#found;
      else if (mark === this.#fields) this.#readField(mark);
      else if (mark === this.#users) this.#readUser(mark);
      else if (mark === this.#parts) this.#readPart(mark);
      else this.#readName(mark.found);
    }
    this.#take(toRange(this.#at, this.#text.length));
    return this.#found;
  }

  #nextMark(): SecretFinder {
    let next = this.#fields;
    for (const mark of this.#marks) if (mark.find(this.#at) < next.find(this.#at)) next = mark;
    return next;
  }

  #take(range: TextRange | undefined): void {
    if (!range) return;
    this.#found.push(range);
    this.#at = range.to;
  }

  #takeContent({ name, from }: { name: string; from: number }): void {
    const to = findElementEnd(this.#text, from, name);
    this.#element = undefined;
    this.#at = to;
    this.#take(toRange(from, to));
  }

  #readName(hit: number): void {
    let from = hit;
    while (from > this.#at && hit - from < MAX_NAME_LENGTH && isNamePart(this.#text.charCodeAt(from - 1))) from--;
    let to = hit;
    while (isNamePart(this.#text.charCodeAt(to))) to++;
    this.#at = to;
    const name = this.#text.slice(Math.max(from, to - MAX_NAME_LENGTH), to);
    if (!isSecretName(name)) return;
    if (this.#text[from - 1] === "<") this.#openElement(name);
    else this.#take(findAssignedValue(this.#text, to) ?? findJsonValue(this.#text, to));
  }

  /** Ignores a start tag inside another start tag, because it isn't valid XML. */
  #openElement(name: string): void {
    const end = this.#element ? Infinity : this.#tagEnds.find(this.#at);
    if (end !== Infinity && this.#text[end - 1] !== "/") this.#element = { name, from: end + 1 };
  }

  #readField({ end }: SecretFinder): void {
    this.#at = end;
    this.#take(findAssignedValue(this.#text, end - 1));
  }

  /** Finds the user and password in a URL. The password may contain `@`. */
  #readUser({ found, end }: SecretFinder): void {
    this.#at = end;
    AUTHORITY_END_PATTERN.lastIndex = end;
    const authority = this.#text.slice(end, AUTHORITY_END_PATTERN.exec(this.#text)?.index);
    const length = authority.lastIndexOf("@");
    if (length > 0 && isNamePart(this.#text.charCodeAt(found - 1))) this.#take({ from: end, to: end + length });
  }

  #readPart({ found, end }: SecretFinder): void {
    this.#at = end;
    const [line = ""] = this.#text.slice(found, found + MAX_LINE_LENGTH).split("\n", 1);
    const [, quoted, bare = ""] = PART_NAME_PATTERN.exec(line) ?? [];
    if (!isSecretField(quoted ?? bare) || this.#blankLines.find(end) === Infinity) return;
    const from = this.#blankLines.end;
    const boundary = this.#text.indexOf("\n--", from - 1);
    const to = boundary === -1 ? this.#text.length : boundary;
    this.#at = Math.max(from, to);
    this.#take(toRange(from, this.#text[to - 1] === "\r" ? to - 1 : to));
  }
}

class SecretFinder {
  readonly #text: string;
  readonly #pattern: RegExp;
  found = -1;
  end = -1;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Returns the offset of the first match at or after `at`, or `Infinity`. `at` must not decrease from call to call. */
  find(at: number): number {
    if (this.found >= at) return this.found;
    this.#pattern.lastIndex = at;
    this.found = this.#pattern.exec(this.#text)?.index ?? Infinity;
    this.end = this.#pattern.lastIndex;
    return this.found;
  }
}
