const ANY = "http://localhost";

/** Returns only paths of this service, so that a link can't lead to a different site after sign-in. `/.//host` would lead to `//host`. */
export function safeReturnPath(target: string): string {
  if (!target.startsWith("/") || !URL.canParse(target, ANY)) return "/";
  const { origin, pathname, search } = new URL(target, ANY);
  return origin === ANY && !pathname.startsWith("//") ? pathname + search : "/";
}
