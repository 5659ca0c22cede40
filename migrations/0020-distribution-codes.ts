/** The first distribution code of each sender; with open access, of each property. */
export const up = (): string[] => [
  `alter table sender add column distribution text`,
  `alter table property_activity add column distribution text`,
];
