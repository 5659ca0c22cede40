import type { PropertyRow } from "../../../../db/schema.ts";

/** Returns texts in one of the property's languages, otherwise in English, otherwise all. */
export function inBestLanguage<Text extends { language?: string | undefined }>(
  texts: readonly Text[],
  { languages }: Pick<PropertyRow, "languages">,
): readonly Text[] {
  const preferred = [...(languages?.split(/[\s,]+/) ?? []), "en"];
  const best = preferred.find((language) => texts.some((one) => one.language === language));
  return best === undefined ? texts : texts.filter(({ language }) => language === best);
}
