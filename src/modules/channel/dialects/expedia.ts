import { escapeText, writeAttributes } from "../../../xml/write.ts";
import { type Fault, systemError } from "../ota-error.ts";
import type { ReportedFinding } from "../report.ts";
import { withPosition, XML_CONTENT_TYPE, xmlReply } from "./answer-xml.ts";
import type { ResponseHead, Dialect } from "./dialect.ts";

export const EXPEDIA_NAMESPACE = "http://www.expediaconnect.com/EQC/AR/2011/06";

/** Expedia QuickConnect availability and rates. Warnings go inside `Success`. Responses with errors have no `Success` element. */
export const expedia: Dialect = {
  hotelField: "id of Hotel",
  forEnvelope: () => undefined,
  answer({ errors, warnings, locations }, head = { status: 200, headers: {} }) {
    const addPlaces = (findings: readonly ReportedFinding[]) =>
      findings.map((finding) => ({ ...finding, text: withPosition(finding, locations) }));
    return replyWith(errors.length > 0 ? writeFaults("Error", addPlaces(errors)) : writeSuccess(addPlaces(warnings)), head);
  },
  refuse: ({ status, fault, headers = {} }) => replyWith(writeFaults("Error", [fault]), { status, headers }),
  refusesInOwnResponse: true,
  usesHttpChallenge: true,
  systemFault: systemError,
};

function replyWith(content: string, head: ResponseHead) {
  return xmlReply(`<AvailRateUpdateRS xmlns="${EXPEDIA_NAMESPACE}">${content}</AvailRateUpdateRS>`, XML_CONTENT_TYPE, head);
}

function writeSuccess(warnings: readonly Fault[]): string {
  return warnings.length === 0 ? "<Success/>" : `<Success>${writeFaults("Warning", warnings)}</Success>`;
}

/** Writes errors or warnings with OpenTravel's codes, because clients expect a number. */
function writeFaults(name: "Error" | "Warning", faults: readonly Fault[]): string {
  return faults.map(({ code, type, text }) => `<${name}${writeAttributes({ code: code ?? type })}>${escapeText(text)}</${name}>`).join("");
}
