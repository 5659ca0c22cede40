import { visibleText } from "../../../../web/rules.ts";
import type { DecisionContext } from "../../message.ts";
import { inBestLanguage } from "../parts/languages.ts";
import type { Description, GuestRoom } from "./guest-room.ts";

/** The text of an information type in the property's best language, else in English, else the first that came. */
export function textOf({ media }: GuestRoom, infoCode: string, { property, report }: DecisionContext): string | undefined {
  const texts = media.filter((one) => one.infoCode === infoCode).flatMap(({ texts: found = [] }) => found);
  const filled = texts.filter(({ text }) => text.trim() !== "");
  const chosen = plainest(inBestLanguage(filled, property));
  if (chosen && filled.some(({ language }) => language !== chosen.language)) {
    report.advise(`texts were stored in ${chosen.language ?? "no language"}; those in other languages are not kept`);
  }
  return chosen && asPlainText(chosen);
}

function plainest(texts: readonly Description[]): Description | undefined {
  return texts.find(({ format }) => format !== "HTML") ?? texts[0];
}

/** Texts are stored plain; HTML tags become spaces. */
function asPlainText({ format, text }: Description): string {
  const plain = format === "HTML" ? text.replaceAll(/<[^<>]*>/g, " ") : text;
  return visibleText(plain)
    .split("\n")
    .map((line) => line.trim().replaceAll(/[ \t]+/g, " "))
    .join("\n")
    .trim();
}
