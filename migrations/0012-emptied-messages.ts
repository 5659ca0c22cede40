/** Messages that went on as rows without bodies are found again when their nights have gone; those of young nights are not read in vain. */
export const up = (): string[] => [`create index message_emptied on message (last_night, received_at) where pruned = 1`];
