/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { integer: string; strict: string; keyed: string };

/**
 * Errors that are alike are counted as they come. Entries from before have no group until one is found for them beside the traffic.
 * `state_why` says what led to the state, `alert` that somebody is still to be told of it.
 */
export const up = (t: Types): string[] => [
  `alter table error_entry add column group_id ${t.integer}`,
  `create index error_entry_group on error_entry (group_id, at, id)`,
  `create table error_group (
    id ${t.integer} primary key, class text not null, source text not null, message text not null, caught ${t.integer} not null,
    status ${t.integer}, algorithm ${t.integer} not null, pattern text not null, place text not null,
    count ${t.integer} not null, first_at ${t.integer} not null, last_at ${t.integer} not null,
    state text not null, state_why text not null, state_at ${t.integer} not null,
    muted_until ${t.integer}, mute_above ${t.integer}, mute_base ${t.integer}, alert ${t.integer}, alerted_at ${t.integer}
  )${t.strict}`,
  `create index error_group_last on error_group (last_at, id)`,
  `create index error_group_count on error_group (count, id)`,
  `create index error_group_state on error_group (state, last_at, id)`,
  `create index error_group_state_count on error_group (state, count, id)`,
  `create index error_group_alert on error_group (state_at) where alert is not null`,
  `create table error_hour (
    group_id ${t.integer} not null, hour ${t.integer} not null, count ${t.integer} not null, primary key (group_id, hour)
  )${t.keyed}`,
  `create index error_hour_hour on error_hour (hour)`,
];
