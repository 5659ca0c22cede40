import type { PropertyRow } from "../../../../db/schema.ts";

/** Returns the items in one of the property's languages, otherwise those in English, otherwise all of them. */
export function selectBestLanguage<Text extends { language?: string | undefined }>(
  texts: readonly Text[],
  { languages }: Pick<PropertyRow, "languages">,
): readonly Text[] {
  const preferredLanguages = [...(languages?.split(/[\s,]+/) ?? []), "en"];
  const bestLanguage = preferredLanguages.find((language) => texts.some((one) => one.language === language));
  return bestLanguage === undefined ? texts : texts.filter(({ language }) => language === bestLanguage);
}
