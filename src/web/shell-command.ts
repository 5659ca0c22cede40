export function shellQuote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a command that reads `text` from a here-document. The delimiter differs from every line, regardless of line ends. */
export function hereDocument(command: string, text: string): string {
  let delimiter = "XML";
  while (text.split(/\r\n?|\n/).includes(delimiter)) delimiter += "_";
  return `${command} <<'${delimiter}'\n${text.replace(/\n$/, "")}\n${delimiter}`;
}

/** Headers that curl adds itself or that belong to the connection. */
const HEADERS_SET_BY_CURL = new Set([
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "transfer-encoding",
  "keep-alive",
  "upgrade",
]);

type CurlRequest = { method: string; url: string; headers: Readonly<Record<string, string>>; data?: string | undefined };

export function asCurl({ method, url, headers, data }: CurlRequest): string {
  const sentHeaders = Object.entries(headers).filter(([name]) => !HEADERS_SET_BY_CURL.has(name));
  const options = [
    ...methodOption(method),
    ...urlOptions(url),
    shellQuote(url),
    ...sentHeaders.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${shellQuote(data)}`]),
  ];
  return `curl ${options.join(" \\\n  ")}`;
}

function methodOption(method: string): string[] {
  if (method === "GET") return [];
  return [method === "HEAD" ? "--head" : `-X ${shellQuote(method)}`];
}

/** Returns curl options that a URL needs. By default, curl expands brackets and braces and resolves `..` in paths. */
function urlOptions(url: string): string[] {
  return [...(/[[\]{}]/.test(url) ? ["--globoff"] : []), ...(/\/\.\.?(?:[/?]|$)/.test(url) ? ["--path-as-is"] : [])];
}
