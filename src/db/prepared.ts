import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Value } from "./database.ts";
import type { Tables } from "./schema.ts";
import { storable } from "./text.ts";

/**
 * A query that is built once and then run with other values: for a small read, building it with Kysely takes longer than running it.
 * `build` gets a placeholder for each value, so it must not look at them, and it must list one parameter for each.
 */
export function prepared<Values extends readonly Value[], Row>(build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>) {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return async (db: Kysely<Tables>, ...values: Values): Promise<Row[]> => {
    const query = compiled.getOrInsertComputed(db, () => build(db, ...placeholders<Values>(build.length - 1)).compile());
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? storable(values[one.index]) : one));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

function placeholders<Values>(count: number): Values {
  return Array.from({ length: count }, (_, index) => new Placeholder(index)) as Values;
}
