/**
 * Bodies and undo records get the property of their message, so that a distributed database can store them next to it. Rows of earlier
 * versions keep an empty property until the database is distributed. Messages without a known property have an empty one.
 */
export const up = (): string[] => [
  `alter table message_body add column property text not null default ''`,
  `alter table night_undo add column property text not null default ''`,
  `update message set property = '' where property is null`,
];
