import { visibleText } from "../../../../text.ts";

export function toPlainText({ format, text }: { format?: string | undefined; text: string }): string {
  const plainText = format === "HTML" ? text.replaceAll(/<[^<>]*>/g, " ") : text;
  return visibleText(plainText)
    .split("\n")
    .map((line) => line.trim().replaceAll(/[ \t]+/g, " "))
    .join("\n")
    .trim();
}
