/** How users reach the service. */
export type CookiePlace = { https: boolean; prefix: string };

/** A `__Host-` cookie needs TLS and the path `/`; browsers refuse it on plain HTTP, on localhost too. */
export function cookieOf(name: string, { https, prefix }: CookiePlace): { name: string; path: string } {
  if (https) return { name: `__Host-${name}`, path: "/" };
  return { name, path: prefix === "" ? "/" : prefix };
}
