/**
 * Bodies and undo records get the property of their message, so that a distributed database can store them next to it. Rows of earlier
 * versions keep an empty property until the database is distributed. Messages without a known property have an empty one. The new columns
 * have a name of their own, because the previous version joins these tables with `message` and selects `property` without a table.
 */
export const up = (): string[] => [
  `alter table message_body add column message_property text not null default ''`,
  `alter table night_undo add column message_property text not null default ''`,
  `update message set property = '' where property is null`,
];
