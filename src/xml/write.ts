/** Escapes the text of an element. Replaces characters that XML doesn't allow with U+FFFD. */
export function escapeText(text: string): string {
  return IN_TEXT.test(text) ? text.replaceAll(EVERY_IN_TEXT, replacement) : text;
}

/** Escapes an attribute value in double quotes. Writes line breaks and tabs as references, because parsers would replace them with spaces. */
function escapeAttribute(value: string): string {
  return IN_ATTRIBUTE.test(value) ? value.replaceAll(EVERY_IN_ATTRIBUTE, replacement) : value;
}

const FORBIDDEN = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff\\ud800-\\udfff";
const IN_TEXT = new RegExp(`[&<>\\r${FORBIDDEN}]`);
const IN_ATTRIBUTE = new RegExp(`[&<>"\\t\\n\\r${FORBIDDEN}]`);
/** With the `u` flag, this matches only unpaired surrogates. */
const EVERY_IN_TEXT = new RegExp(IN_TEXT.source, "gu");
const EVERY_IN_ATTRIBUTE = new RegExp(IN_ATTRIBUTE.source, "gu");

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

function replacement(character: string): string {
  return REFERENCES[character] ?? "\ufffd";
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export function writeAttributes(attributes: Attributes): string {
  let written = "";
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) written += ` ${name}="${escapeAttribute(String(value))}"`;
  }
  return written;
}

export function element(name: string, attributes: Attributes, content: string | { text: string }): string {
  const innerXml = typeof content === "string" ? content : escapeText(content.text);
  return `<${name}${writeAttributes(attributes)}>${innerXml}</${name}>`;
}

export function leaf(name: string, attributes: Attributes): string {
  return `<${name}${writeAttributes(attributes)}/>`;
}
