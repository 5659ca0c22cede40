/** Lists that are filtered by status are as fast as those that are not, in both orders and however few records have it. */
export const up = (): string[] => [
  `create index property_status on property (status, code)`,
  `create index property_status_name on property (status, sort_name, code)`,
  `create index category_status on category (status, property, code)`,
  `create index category_status_name on category (status, sort_name, property, code)`,
];
