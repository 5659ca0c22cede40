/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; bytes: string; bytewise: string; serial: string; strict: string; keyed: string };

/**
 * What is on sale in a property, packed in blocks of nights, so that all properties can be searched for problems. Filled in the background.
 * Also the views of the portfolio that users save.
 */
export const up = (t: Types): string[] => [
  `create table night_summary (
    block ${t.integer} not null, property ${t.bytewise} not null, nights ${t.bytes} not null, primary key (block, property)
  )${t.keyed}`,
  `create index night_summary_property on night_summary (property)`,
  `create table summary_progress (
    id ${t.integer} primary key not null, position ${t.integer} not null, filled ${t.bytewise}
  )${t.strict}`,
  `create table saved_view (
    id ${t.serial}, owner ${t.bytewise} not null, grid text not null, name ${t.bytewise} not null, query text not null,
    unique (owner, grid, name)
  )${t.strict}`,
];
