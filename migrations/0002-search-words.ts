/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { bytes: string; strict: string };

/** `word` is UTF-8, compared byte by byte on both engines whatever the collation; `code` is empty for a property. */
export const up = (t: Types): string[] => [
  `create table search_word (
    kind text not null, word ${t.bytes} not null, property text not null, code text not null, primary key (kind, word, property, code)
  )${t.strict}`,
  `create index search_word_record on search_word (property, code, kind)`,
];
