/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; keyed: string };

/**
 * A message that is deleted from the log leaves a short row here while nights that it set are stored. Its former row was 500 bytes long.
 * The index found such rows in the log.
 */
export const up = (t: Types): string[] => [
  `create table past_message (
    message ${t.integer} not null, property text not null, received_at ${t.integer} not null, sender text,
    last_night ${t.integer} not null, primary key (message, property)
  )${t.keyed}`,
  `create index past_message_property on past_message (property)`,
  `create index past_message_night on past_message (last_night)`,
  `drop index message_emptied`,
];
