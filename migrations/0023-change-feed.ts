/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; bytewise: string; serial: string; strict: string };

/**
 * Changes enter the outbox in the transaction that makes them. They move to `change` after its commit, and get the position by which readers
 * follow them.
 */
export const up = (t: Types): string[] => [
  `create table change_outbox (${[`id ${t.serial}`, ...columns(t)].join(", ")})${t.strict}`,
  `create table change (${[`position ${t.integer} primary key not null`, `outbox ${t.integer} not null`, ...columns(t)].join(", ")})${t.strict}`,
];

function columns(t: Types): string[] {
  return [
    `at ${t.integer} not null`,
    `property ${t.bytewise} not null`,
    `message ${t.integer}`,
    `kind text not null`,
    `category ${t.bytewise}`,
    `plan ${t.bytewise}`,
  ];
}
