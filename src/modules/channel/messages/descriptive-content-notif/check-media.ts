import { isLanguage } from "../../../../records/property/choices.ts";
import { isWebAddress } from "../../../../records/rules.ts";
import { fieldMissing, invalidValue, invalidWord, ruleBroken } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import { InfoCode, isPictureCategory, PICTURE_CATEGORIES } from "../parts/code-lists.ts";
import type { Description, GuestRoom, Media, Picture } from "./guest-room.ts";

/** The rules of AlpineBits for the texts and pictures of a category. */
export function checkMedia({ media, mediaLists, at }: GuestRoom, report: Report): void {
  if (mediaLists > 1) report.error(ruleBroken("A category has one MultimediaDescriptions"), at);
  if (!media.some(({ infoCode }) => infoCode === InfoCode.longName)) {
    report.error(fieldMissing(`MultimediaDescription with InfoCode ${InfoCode.longName}, the long name`), at);
  }
  const seen = new Set<string>();
  for (const one of media) {
    if (one.infoCode !== undefined && seen.has(one.infoCode)) report.error(ruleBroken(`InfoCode ${one.infoCode} is repeated`), one.at);
    if (one.infoCode !== undefined) seen.add(one.infoCode);
    checkKind(one, report);
  }
}

function checkKind({ at, infoCode, texts, pictures }: Media, report: Report): void {
  if (infoCode === undefined) return report.error(fieldMissing("InfoCode"), at);
  if (infoCode === InfoCode.pictures) {
    if (!pictures || pictures.length === 0) report.error(fieldMissing("ImageItems"), at);
    for (const picture of pictures ?? []) checkPicture(picture, report);
  } else if (infoCode === InfoCode.longName || infoCode === InfoCode.description) {
    if (!texts) report.error(fieldMissing("TextItems"), at);
    else if (texts.every(({ text }) => text.trim() === "")) report.error(fieldMissing("Description"), at);
    checkTexts(texts ?? [], report);
  } else report.error(invalidWord(infoCode, "InfoCode", "1, 23, 25"), at);
}

function checkPicture({ at, category, url, texts }: Picture, report: Report): void {
  if (category === undefined) report.error(fieldMissing("Category"), at);
  else if (!isPictureCategory(category)) report.error(invalidWord(category, "Category", PICTURE_CATEGORIES), at);
  if (url === undefined) report.error(fieldMissing("URL"), at);
  else if (!isWebAddress(url.trim())) report.error(invalidValue(url, "URL"), at);
  checkTexts(texts, report);
}

function checkTexts(texts: readonly Description[], report: Report): void {
  const seen = new Set<string>();
  for (const { at, language, format } of texts) {
    if (language === undefined) report.error(fieldMissing("Language"), at);
    else if (!isLanguage(language)) report.error(invalidWord(language, "Language", "ISO 639-1, such as de"), at);
    if (format === undefined) report.error(fieldMissing("TextFormat"), at);
    else if (format !== "PlainText" && format !== "HTML") report.error(invalidWord(format, "TextFormat", "PlainText, HTML"), at);
    const kind = `${language} ${format}`;
    if (seen.has(kind)) report.error(ruleBroken(`Language and TextFormat ${kind} are repeated`), at);
    seen.add(kind);
  }
}
