/**
 * An index by hash is written to at a random place for each message: it was the most expensive part of the log. The last
 * bodies of a property are found in an index that is written to in any case.
 */
export const up = (): string[] => [
  `drop index message_body_hash`,
  `drop index message_property`,
  `create index message_property on message (property, id, body_hash, request_bytes)`,
];
