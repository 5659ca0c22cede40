/** Numbers in names stand by what they are worth, `Room 2` before `Room 10`: the keys are made anew by the start that migrates. */
export const up = (): string[] => ["update property set sort_name = ''", "update category set sort_name = ''"];
