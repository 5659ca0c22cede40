type Column<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Column<Rest>}`
  : Name;

type Stored<Value> = Value extends undefined ? null : Value extends boolean ? number : Value;

export type RowOf<Thing> = { [Name in keyof Thing & string as Column<Name>]-?: Stored<Thing[Name]> };

type NameOf<Thing> = keyof Thing & string;

/** Converts records to rows and back. `flags` names the booleans. */
export function rowsOf<Thing>(names: readonly NameOf<Thing>[], flags: readonly string[]) {
  const columns = names.map((name) => ({ name, column: columnOf(name), isFlag: flags.includes(name) }));
  return {
    toRow(thing: Thing): RowOf<Thing> {
      const row: Record<string, unknown> = {};
      for (const { name, column, isFlag } of columns) row[column] = isFlag ? Number(thing[name]) : (thing[name] ?? null);
      return row as RowOf<Thing>;
    },
    fromRow(row: RowOf<Thing>): Thing {
      const stored = row as Record<string, unknown>;
      const thing: Record<string, unknown> = {};
      for (const { name, column, isFlag } of columns) thing[name] = isFlag ? stored[column] === 1 : (stored[column] ?? undefined);
      return thing as Thing;
    },
  };
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
