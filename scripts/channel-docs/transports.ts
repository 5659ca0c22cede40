import { type ExampleRequest, wrapRequest, type SendOptions } from "../../src/modules/channel/example.ts";
import { curlCommand } from "../../src/modules/dev/console/curl.ts";
import { prettyXml } from "../../src/modules/dev/log/pretty-xml.ts";
import { CODES, findExample } from "./codes.ts";

const ADDRESS = "https://rooms.example.com/channel";
const SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

/** How the example message is sent, by transport. */
const SEND_OPTIONS_BY_TRANSPORT: Readonly<Record<string, SendOptions>> = {
  plain: { transport: "raw" },
  soap11: { transport: "soap11" },
  soap12: { transport: "soap12" },
  alpinebits: { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms", version: "2024-10" },
};

/** Returns a curl command, and the request that it sends if SECRET is replaced by `secret`. For SOAP 1.1, the credentials are in the envelope. */
export function transportRequest(name: string | undefined, secret: string): { command: string; request: ExampleRequest } {
  const sending = SEND_OPTIONS_BY_TRANSPORT[name ?? ""];
  if (!sending) throw new Error(`There is no transport ${name}.`);
  const xml = findExample("counts-of-a-week").xml(CODES);
  const request = withSecurity(wrapRequest(xml, sending), "SECRET");
  const isForm = sending.transport === "alpinebits";
  const document = isForm ? xml : prettyXml(Buffer.from(request.body).toString("utf8"));
  const command = curlCommand({ ...sending, url: ADDRESS, xml: document, open: sending.transport === "soap11" });
  return { command: command.replace("SENDER:SECRET", "pms:SECRET"), request: withSecurity(wrapRequest(xml, sending), secret) };
}

function withSecurity({ headers, body }: ExampleRequest, secret: string): ExampleRequest {
  const token = `<wsse:UsernameToken><wsse:Username>pms</wsse:Username><wsse:Password>${secret}</wsse:Password></wsse:UsernameToken>`;
  const security = `<soap:Header><wsse:Security xmlns:wsse="${SECURITY}">${token}</wsse:Security></soap:Header>`;
  return { headers, body: Buffer.from(Buffer.from(body).toString("utf8").replace("<soap:Header/>", security)) };
}
