const URL_PATTERN = /^(postgres(?:ql)?:\/\/(?=\S)(?:[^\s/?#]*@)?)([^\s/?#]*)(\S*)$/;
/** Allowed values of `target_session_attrs`. Other values could select a server that can't write. */
const WRITABLE_TARGETS = ["read-write", "primary", "any"];

/** Splits a PostgreSQL URL with several hosts, such as `postgres://user@one,two/db`, into one URL per host; undefined if invalid. */
export function hostUrls(url: string): string[] | undefined {
  const [, start, hosts, rest] = URL_PATTERN.exec(url) ?? [];
  if (start === undefined || hosts === undefined || rest === undefined) return undefined;
  const list = hosts.split(",");
  if (list.length > 1 && list.includes("")) return undefined;
  const urls = list.map((host) => start + host + rest);
  return urls.every(isUsableUrl) ? urls : undefined;
}

function isUsableUrl(url: string): boolean {
  const parsedUrl = URL.parse(url);
  return parsedUrl !== null && WRITABLE_TARGETS.includes(parsedUrl.searchParams.get("target_session_attrs") ?? "any");
}
