/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = {
  /** A whole number up to 2^53. */
  integer: string;
  /** Bytes. */
  bytes: string;
  /** A key that counts up by itself and is never given twice. */
  serial: string;
  /** What follows the closing bracket of every table. */
  strict: string;
  /** The same for a table that is kept in the order of its key, where the engine can. */
  keyed: string;
  /** Makes what the ids of batches are counted with. */
  batchCounter: string;
};

export const up = (t: Types): string[] => [
  t.batchCounter,
  `create table property (
    code text primary key, name text not null, status text not null, currency text not null, time_zone text not null,
    country text, street text, city text, region text, postal_code text, latitude text, longitude text,
    phone text, email text, website text, contact_name text, property_type text not null,
    stars real, check_in_from text, check_in_until text, check_out_until text, languages text,
    assume_open ${t.integer} not null, known_plans_only ${t.integer} not null, horizon_days ${t.integer} not null,
    prices_include_tax ${t.integer} not null, min_child_age ${t.integer}, max_child_age ${t.integer},
    description text, notes text, group_name text, external_id text,
    version ${t.integer} not null, created_at ${t.integer} not null, updated_at ${t.integer} not null
  )${t.strict}`,
  `create index property_name on property (name, code)`,
  `create table property_activity (
    property text primary key, last_message_at ${t.integer} not null, last_complete_set_at ${t.integer}
  )${t.keyed}`,
  `create table category (
    property text not null references property (code), code text not null, name text not null, description text, kind text not null,
    standard_occupancy ${t.integer} not null, min_occupancy ${t.integer} not null, max_occupancy ${t.integer} not null,
    max_adults ${t.integer}, max_children ${t.integer}, max_infants ${t.integer},
    rooms ${t.integer} not null, room_names text, size real, beds text, smoking ${t.integer} not null, accessible ${t.integer} not null,
    amenities text, photos text, status text not null, sort_order ${t.integer} not null,
    version ${t.integer} not null, created_at ${t.integer} not null, updated_at ${t.integer} not null,
    primary key (property, code)
  )${t.strict}`,
  `create index category_name on category (name, property, code)`,
  `create table rate_plan (
    property text not null references property (code), code text not null, name text, currency text, price_basis text, meal_plan text,
    taxes text, status text not null, details text, sender text, first_seen_at ${t.integer} not null, last_seen_at ${t.integer} not null,
    primary key (property, code)
  )${t.strict}`,
  `create table inventory_page (
    property text not null, category text not null, room text not null, span ${t.integer} not null,
    page ${t.bytes} not null, updated_at ${t.integer} not null, primary key (property, category, room, span)
  )${t.keyed}`,
  `create table rate_page (
    property text not null, category text not null, plan text not null, span ${t.integer} not null,
    page ${t.bytes} not null, updated_at ${t.integer} not null, primary key (property, category, plan, span)
  )${t.keyed}`,
  `create table night_undo (message ${t.integer} primary key, at ${t.integer} not null, undo ${t.bytes} not null)${t.strict}`,
  `create table message (
    id ${t.integer} primary key, received_at ${t.integer} not null, property text, sender text, via text not null, transport text not null,
    root text, action text, outcome text not null, status ${t.integer} not null, micros ${t.integer} not null,
    request_bytes ${t.integer} not null, answer_bytes ${t.integer} not null, lines ${t.integer} not null,
    changed_nights ${t.integer} not null, last_night ${t.integer}, dry_run ${t.integer} not null, echo_token text, stamp text,
    remote text, body_hash ${t.integer} not null, same_as ${t.integer}, summary text not null, pruned ${t.integer} not null
  )${t.strict}`,
  `create index message_property on message (property, id)`,
  `create index message_outcome on message (outcome, id) where outcome <> 'ok'`,
  `create index message_sender on message (sender, id)`,
  `create index message_body_hash on message (body_hash)`,
  `create index message_received on message (received_at)`,
  `create table message_body (
    message ${t.integer} primary key, encoding text not null, request ${t.bytes} not null, answer ${t.bytes} not null, notes text not null
  )${t.strict}`,
  `create table sender (
    name text primary key, hash text not null, hotels text, created_at ${t.integer} not null, disabled_at ${t.integer}
  )${t.strict}`,
  `create table error_entry (
    id ${t.serial}, at ${t.integer} not null, class text not null, message text not null, source text not null,
    caught ${t.integer} not null, status ${t.integer}, detail text not null
  )${t.strict}`,
  `create index error_entry_at on error_entry (at, id)`,
  `create index error_entry_class on error_entry (class, at, id)`,
  `create index error_entry_source on error_entry (source, at, id)`,
  `create index error_entry_status on error_entry (status, at, id)`,
  `create table session (
    id_hash text primary key, data text not null, created_at ${t.integer} not null, seen_at ${t.integer} not null
  )${t.strict}`,
  `create index session_seen on session (seen_at)`,
  `create table secret (name text primary key, value text not null, created_at ${t.integer} not null)${t.strict}`,
  `create table audit (
    id ${t.serial}, at ${t.integer} not null, actor text not null, action text not null, subject text not null, detail text not null
  )${t.strict}`,
  `create index audit_subject on audit (subject, id)`,
];
