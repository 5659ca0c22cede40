/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { integer: string; keyed: string };

/** Failed sign-ins, which every process has to know. */
export const up = (t: Types): string[] => [
  `create table sign_in (
    door text not null, key text not null, failures ${t.integer} not null, until ${t.integer} not null, primary key (door, key)
  )${t.keyed}`,
  `create index sign_in_until on sign_in (door, until)`,
];
