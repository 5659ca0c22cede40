import { createHash } from "node:crypto";

/** Says of a secret only that it is set: enough to see whether two places have the same one. */
export function mask(secret: string): string {
  const hash = createHash("sha256").update(secret).digest("hex").slice(0, 4);
  return `set, ${secret.length} characters, sha256:${hash}…`;
}

/** An address with its password masked, in the user part and in the query. What cannot be read is masked whole. */
export function maskAddress(address: string): string {
  if (!URL.canParse(address)) return mask(address);
  const url = new URL(address);
  const secrets = [...url.searchParams].filter(([name]) => /pass|secret|token|key/i.test(name));
  const password = decode(url.password);
  for (const [name] of secrets) url.searchParams.delete(name);
  url.password = "";
  const notes = [...(password === "" ? [] : [`password ${mask(password)}`]), ...secrets.map(([name, value]) => `${name} ${mask(value)}`)];
  return notes.length === 0 ? address : `${url.href} (${notes.join("; ")})`;
}

/** An address whose path may be a secret of its own, as those of webhooks are. */
export function maskPath(address: string): string {
  const { origin, href } = new URL(address);
  return `${origin}/… (${mask(href)})`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
