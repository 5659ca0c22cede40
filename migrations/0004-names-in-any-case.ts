/** Lists stand in the order of names whatever their case, as `lower` has it on the engine: `adler` before `Berghof`. */
export const up = (): string[] => [
  `drop index property_name`,
  `create index property_name on property (lower(name), name, code)`,
  `drop index category_name`,
  `create index category_name on category (lower(name), name, property, code)`,
];
