import { escapeText, writeAttributes } from "../../../xml/write.ts";
import { type Fault, systemError } from "../ota-error.ts";
import type { ReportedFinding } from "../report.ts";
import { withPlace, XML_CONTENT_TYPE, xmlReply } from "./answer-xml.ts";
import type { ResponseHead, Dialect } from "./dialect.ts";

export const EXPEDIA_NAMESPACE = "http://www.expediaconnect.com/EQC/AR/2011/06";

/** Expedia QuickConnect availability and rates. Warnings go inside `Success`. A response with errors has no `Success`. */
export const expedia: Dialect = {
  hotelField: "id of Hotel",
  inEnvelope: () => undefined,
  answer({ errors, warnings, places }, head = { status: 200, headers: {} }) {
    const addPlaces = (findings: readonly ReportedFinding[]) =>
      findings.map((finding) => ({ ...finding, text: withPlace(finding, places) }));
    return replyWith(errors.length > 0 ? writeFaults("Error", addPlaces(errors)) : writeSuccess(addPlaces(warnings)), head);
  },
  refuse: ({ status, fault, headers = {} }) => replyWith(writeFaults("Error", [fault]), { status, headers }),
  refusesInAnswer: true,
  challenges: true,
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
