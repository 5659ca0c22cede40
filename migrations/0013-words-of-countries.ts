/** Names of countries, and words that no blank parts from those before, are sought: words are made anew by the start that migrates. */
export const up = (): string[] => ["delete from search_word"];
