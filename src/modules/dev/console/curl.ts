import { hereDocument, shellQuote } from "../../../web/shell-command.ts";
import { type SendOptions } from "../../channel/example.ts";

export type CurlRequest = SendOptions & { url: string; xml: string; open: boolean };

const CONTENT_TYPES = {
  raw: "application/xml",
  json: "application/json",
  soap11: "text/xml; charset=utf-8",
  soap12: "application/soap+xml; charset=utf-8",
} as const;

/** Returns a POSIX shell command that passes `xml`, including its envelope, on standard input. */
export function curlCommand({ url, xml, open, transport, action, version }: CurlRequest): string {
  const words = ["curl", "-i", shellQuote(url)];
  if (!open) words.push("-u", "SENDER:SECRET");
  if (transport === "alpinebits") {
    if (version) words.push("-H", shellQuote(`X-AlpineBits-ClientProtocolVersion: ${version}`));
    if (action) words.push("-F", shellQuote(`action=${action}`));
    return hereDocument([...words, "-F", shellQuote("request=<-")].join(" "), xml);
  }
  if (transport === "soap11") words.push("-H", shellQuote('SOAPAction: ""'));
  return hereDocument([...words, "-H", shellQuote(`Content-Type: ${CONTENT_TYPES[transport]}`), "--data-binary", "@-"].join(" "), xml);
}
