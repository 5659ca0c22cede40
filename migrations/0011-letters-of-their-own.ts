/** Letters such as ß and ø are sought as ss and o: words and keys are made anew by the start that migrates. */
export const up = (): string[] => ["delete from search_word", "update property set sort_name = ''", "update category set sort_name = ''"];
