import { type ExampleRequest, requestOf } from "../../modules/channel/example.ts";
import type { MessageCodes } from "./message-codes.ts";
import type { Sample } from "./samples.ts";

/** A request to post, and the status it is to be answered with where it matters. */
export type Sending = ExampleRequest & { status: number | undefined };

const ACTIONS: Readonly<Record<string, string>> = {
  OTA_PingRQ: "OTA_Ping:Handshaking",
  OTA_HotelInvCountNotifRQ: "OTA_HotelInvCountNotif:FreeRooms",
  OTA_HotelAvailNotifRQ: "OTA_HotelAvailNotif:FreeRooms",
  OTA_HotelRatePlanNotifRQ: "OTA_HotelRatePlanNotif:RatePlans",
  OTA_HotelRatePlanRQ: "OTA_HotelRatePlan:BaseRates",
  OTA_HotelDescriptiveContentNotifRQ: "OTA_HotelDescriptiveContentNotif:Inventory",
  OTA_HotelDescriptiveInfoRQ: "OTA_HotelDescriptiveInfo:Inventory",
  OTA_ReadRQ: "OTA_Read:GuestRequests",
  OTA_NotifReportRQ: "OTA_NotifReport:GuestRequests",
  OTA_HotelResNotifRQ: "OTA_HotelResNotif:GuestRequests",
  OTA_HotelPostEventNotifRQ: "OTA_HotelPostEventNotif:EventReports",
};

/** The requests in which a sample goes out: as its transport has it, and as each type of content that its expectation names. */
export function sendingsOf({ file, version, expected }: Sample, bytes: Buffer, { root, text }: MessageCodes): Sending[] {
  if (version !== undefined)
    return [{ ...requestOf(text, { transport: "alpinebits", version, action: actionOf(file, root) }), status: undefined }];
  const typed = [...expected.matchAll(/(\d{3}) when sent as (\w+)/g)];
  if (typed.length === 0) return [{ headers: { "content-type": typeOf(text) }, body: bytes, status: undefined }];
  return typed.map(([, status, type]) => ({
    headers: { "content-type": `application/${type!.toLowerCase()}` },
    body: bodyAs(type!, bytes),
    status: Number(status),
  }));
}

/** Files of the Info action say so in their name; one "with hotelinfo" is an Inventory message that has too much. */
function actionOf(file: string, root: string | undefined): string | undefined {
  const action = ACTIONS[root ?? ""];
  return /(?<!-with-)hotelinfo/i.test(file) ? action?.replace(":Inventory", ":Info") : action;
}

function typeOf(text: string): string {
  if (text.includes("http://www.w3.org/2003/05/soap-envelope")) return "application/soap+xml; charset=utf-8";
  return /<(\w+:)?Envelope\b/.test(text) ? "text/xml" : "application/xml";
}

/** JSON that was saved with an XML declaration before it. */
function bodyAs(type: string, bytes: Buffer): Buffer {
  return type === "JSON" ? Buffer.from(bytes.toString("utf8").replace(/^<\?xml[^>]*\?>\s*/, "")) : bytes;
}
