const ANY = "http://localhost";

/** Only a path of this service, so that a link cannot lead to another site after signing in. `/.//host` would lead to `//host`. */
export function pathOf(target: string): string {
  if (!target.startsWith("/") || !URL.canParse(target, ANY)) return "/";
  const { origin, pathname, search } = new URL(target, ANY);
  return origin === ANY && !pathname.startsWith("//") ? pathname + search : "/";
}
