/** Escapes the text of an element. Replaces characters that XML doesn't allow with U+FFFD. */
export function escapeText(text: string): string {
  return TEXT_PATTERN.test(text) ? text.replaceAll(EVERY_TEXT_PATTERN, escapeReplacement) : text;
}

/**
 * Escapes an attribute value in double quotes. Writes line breaks and tabs as references, because parsers would otherwise replace them with
 * spaces.
 */
function escapeAttribute(value: string): string {
  return ATTRIBUTE_PATTERN.test(value) ? value.replaceAll(EVERY_ATTRIBUTE_PATTERN, escapeReplacement) : value;
}

const FORBIDDEN_CHARACTERS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff\\ud800-\\udfff";
const TEXT_PATTERN = new RegExp(`[&<>\\r${FORBIDDEN_CHARACTERS}]`);
const ATTRIBUTE_PATTERN = new RegExp(`[&<>"\\t\\n\\r${FORBIDDEN_CHARACTERS}]`);
/** With the `u` flag, this matches only unpaired surrogates. */
const EVERY_TEXT_PATTERN = new RegExp(TEXT_PATTERN.source, "gu");
const EVERY_ATTRIBUTE_PATTERN = new RegExp(ATTRIBUTE_PATTERN.source, "gu");

const CHARACTER_REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

function escapeReplacement(character: string): string {
  return CHARACTER_REFERENCES[character] ?? "\ufffd";
}

type WrittenAttributes = Readonly<Record<string, string | number | undefined>>;

export function writeAttributes(attributes: WrittenAttributes): string {
  let written = "";
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) written += ` ${name}="${escapeAttribute(String(value))}"`;
  }
  return written;
}

export function writeElement(name: string, attributes: WrittenAttributes, content: string | { text: string }): string {
  const innerXml = typeof content === "string" ? content : escapeText(content.text);
  return `<${name}${writeAttributes(attributes)}>${innerXml}</${name}>`;
}

export function writeEmptyElement(name: string, attributes: WrittenAttributes): string {
  return `<${name}${writeAttributes(attributes)}/>`;
}
