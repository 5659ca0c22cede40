/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; serial: string; strict: string };

/** Named users, API tokens, who acted from where, and what a connection needs beyond its name and secret. */
export const up = (t: Types): string[] => [
  `create table person (
    name text primary key, role text not null, password text, source text not null, subject text, invitation text,
    invited_until ${t.integer}, created_at ${t.integer} not null, password_at ${t.integer}, seen_at ${t.integer},
    disabled_at ${t.integer}
  )${t.strict}`,
  `create unique index person_subject on person (subject) where subject is not null`,
  `create unique index person_invitation on person (invitation) where invitation is not null`,
  `create table api_token (
    id ${t.serial}, name text not null, prefix text not null, hash text not null, scopes text not null, properties text,
    created_by text not null, created_at ${t.integer} not null, expires_at ${t.integer}, used_at ${t.integer}, revoked_at ${t.integer}
  )${t.strict}`,
  `create unique index api_token_hash on api_token (hash)`,
  `alter table session add column person text`,
  `alter table session add column address text`,
  `alter table session add column agent text`,
  `create index session_person on session (person) where person is not null`,
  `alter table audit add column kind text`,
  `alter table audit add column address text`,
  `create index audit_at on audit (at, id)`,
  `create index audit_actor on audit (actor, id)`,
  `alter table sender add column old_hash text`,
  `alter table sender add column old_until ${t.integer}`,
  `alter table sender add column digest_secret text`,
  `alter table sender add column old_digest_secret text`,
  `alter table sender add column expires_at ${t.integer}`,
  `alter table sender add column used_at ${t.integer}`,
  `create table sender_code (
    sender text not null, kind text not null, property text not null, code text not null, target text not null,
    primary key (sender, kind, property, code)
  )${t.strict}`,
  `create table sender_nonce (hash text primary key, until ${t.integer} not null)${t.strict}`,
  `create index sender_nonce_until on sender_nonce (until)`,
  // Lists a sender's last accepted and refused messages without reading the messages.
  `drop index message_sender`,
  `create index message_sender on message (sender, id, outcome)`,
];
