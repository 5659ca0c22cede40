/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; bytewise: string; serial: string; strict: string };

/** Alert rules and the alerts that they opened. At most one alert of a rule is open. Webhooks can also be told about alerts. */
export const up = (t: Types): string[] => [
  `create table alert_rule (
    id ${t.serial}, kind text not null, limit_value ${t.integer} not null, property ${t.bytewise}, group_name ${t.bytewise},
    created_by ${t.bytewise} not null, created_at ${t.integer} not null
  )${t.strict}`,
  `create table alert (
    id ${t.serial}, rule ${t.integer} not null, text text not null, opened_at ${t.integer} not null, closed_at ${t.integer},
    muted_until ${t.integer}, posted_at ${t.integer}, mailed_at ${t.integer}
  )${t.strict}`,
  `create unique index alert_open on alert (rule) where closed_at is null`,
  `alter table webhook add column alerts ${t.integer} not null default 0`,
];
