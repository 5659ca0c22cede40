import { escapeText, writeAttributes } from "./write.ts";

type Values = Readonly<Record<string, string | number | undefined>>;

/** Writes an element around XML that is already written, or around a text. */
export function element(name: string, attributes: Values, content: string | { text: string }): string {
  const inner = typeof content === "string" ? content : escapeText(content.text);
  return `<${name}${writeAttributes(attributes)}>${inner}</${name}>`;
}

/** Writes an element without content. */
export function leaf(name: string, attributes: Values): string {
  return `<${name}${writeAttributes(attributes)}/>`;
}
