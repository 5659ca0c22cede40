import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Row, SqlValue } from "./database.ts";
import type { Tables } from "./schema.ts";
import { toStorable } from "./statements.ts";

/** Compiles a query once and runs it with different values. `build` receives placeholders, so it must not inspect the values. */
export function prepareStatement<Values extends Row, Result>(build: (db: Kysely<Tables>, values: Values) => Compilable<Result>) {
  const compiledQueries = new WeakMap<Kysely<Tables>, CompiledQuery<Result>>();
  return async (db: Kysely<Tables>, values: Values): Promise<Result[]> => {
    const query = compiledQueries.getOrInsertComputed(db, () => build(db, placeholders as Values).compile());
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? toStorable<SqlValue>(values[value.name]!) : value));
    const { rows } = await db.executeQuery<Result>({ ...query, parameters });
    return rows;
  };
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders: unknown = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
