/** Lists leave out archived properties. Few properties are archived. */
export const up = (): string[] => [`create index property_archived on property (code) where status = 'archived'`];
