type ColumnName<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${ColumnName<Rest>}`
  : Name;

type StoredValue<Value> = Value extends undefined ? null : Value extends boolean ? number : Value;

export type RowOf<Item> = { [Name in keyof Item & string as ColumnName<Name>]-?: StoredValue<Item[Name]> };

type NameOf<Item> = keyof Item & string;

/** Converts records to rows and back, and lists the columns of a row. `flags` lists the boolean fields. */
export function rowsOf<Item>(names: readonly NameOf<Item>[], flags: readonly string[]) {
  const columns = names.map((name) => ({ name, column: toColumnName(name), isFlag: flags.includes(name) }));
  return {
    columns: columns.map(({ column }) => column as keyof RowOf<Item>),
    toRow(item: Item): RowOf<Item> {
      const row: Record<string, unknown> = {};
      for (const { name, column, isFlag } of columns) row[column] = isFlag ? Number(item[name]) : (item[name] ?? null);
      return row as RowOf<Item>;
    },
    fromRow(row: RowOf<Item>): Item {
      const storedRow = row as Record<string, unknown>;
      const item: Record<string, unknown> = {};
      for (const { name, column, isFlag } of columns) item[name] = isFlag ? storedRow[column] === 1 : (storedRow[column] ?? undefined);
      return item as Item;
    },
  };
}

function toColumnName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
