let revision = 0;

/** Increases when this process changes a sender, so that cached credentials are checked again. */
export function senderRevision(): number {
  return revision;
}

export function noteSenderChange(): void {
  revision++;
}
