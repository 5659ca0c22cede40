/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { bytewise: string };

/**
 * Names stand as people look for them, `Österle` beside `Osterhof`, by a key that is made of them where they are written. It is
 * empty until the start that migrates has made it.
 */
export const up = (t: Types): string[] => [
  `alter table property add column sort_name ${t.bytewise} not null default ''`,
  `drop index property_name`,
  `create index property_name on property (sort_name, code)`,
  `alter table category add column sort_name ${t.bytewise} not null default ''`,
  `drop index category_name`,
  `create index category_name on category (sort_name, property, code)`,
];
