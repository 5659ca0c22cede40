/** Shown in place of a secret. Not even a length or part of a hash: either would help to guess it. */
export const MASKED = "set";

/** An address with its password masked, in the user part and in the query. What cannot be read is masked whole. */
export function maskAddress(address: string): string {
  if (!URL.canParse(address)) return MASKED;
  const url = new URL(address);
  const secrets = [...url.searchParams].filter(([name]) => /pass|secret|token|key/i.test(name));
  const names = [...(url.password === "" ? [] : ["password"]), ...secrets.map(([name]) => name)];
  for (const [name] of secrets) url.searchParams.delete(name);
  url.password = "";
  const notes = names.map((name) => `${name} ${MASKED}`);
  return notes.length === 0 ? address : `${url.href} (${notes.join("; ")})`;
}

/** An address whose path may be a secret of its own, as those of webhooks are. */
export function maskPath(address: string): string {
  return `${new URL(address).origin}/…`;
}
