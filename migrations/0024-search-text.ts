type Types = { keyed: string };

/** Replaces the words of a record by one text, which can be searched from any part of a word. The start that migrates fills it. */
export const up = (t: Types): string[] => [
  "drop table search_word",
  `create table search_text (
    kind text not null, property text not null, code text not null, words text not null, primary key (kind, property, code)
  )${t.keyed}`,
];
