import { escapeText, writeAttributes } from "../../../xml/write.ts";
import { type Fault, systemError } from "../ota-error.ts";
import type { ReportedFinding } from "../report.ts";
import { withPosition, writeTime, XML_CONTENT_TYPE, xmlReply } from "./answer-xml.ts";
import type { ResponseHead, Dialect } from "./dialect.ts";

/** Google's own hotel messages. The root element of a response is the message's root with `Response` appended. */
export const google: Dialect = {
  hotelField: "Property",
  forEnvelope: () => undefined,
  answer({ root, head: { echoToken, requestor }, now, errors, warnings, locations }, head = { status: 200, headers: {} }) {
    const addPlaces = (findings: readonly ReportedFinding[]) =>
      findings.map((finding) => ({ ...finding, text: withPosition(finding, locations) }));
    const issues = errors.length > 0 ? writeIssues(addPlaces(errors), "error") : writeIssues(addPlaces(warnings), "warning");
    const attributes = writeAttributes({ timestamp: writeTime(now), id: echoToken, partner: requestor });
    const success = errors.length > 0 ? "" : "<Success/>";
    return replyWith(`<${root}Response${attributes}>${success}${writeIssueList(issues)}</${root}Response>`, head);
  },
  refuse: ({ status, fault, headers = {} }, now) =>
    replyWith(
      `<TransactionResponse${writeAttributes({ timestamp: writeTime(now) })}>${writeIssueList(writeIssues([fault], "error"))}</TransactionResponse>`,
      { status, headers },
    ),
  refusesInOwnResponse: true,
  usesHttpChallenge: true,
  systemFault: systemError,
};

function replyWith(document: string, head: ResponseHead) {
  return xmlReply(document, XML_CONTENT_TYPE, head);
}

function writeIssueList(issues: readonly string[]): string {
  return issues.length === 0 ? "" : `<Issues>${issues.join("")}</Issues>`;
}

function writeIssues(faults: readonly Fault[], status: "error" | "warning"): string[] {
  return faults.map(({ code, type, text }) => `<Issue${writeAttributes({ code: code ?? type, status })}>${escapeText(text)}</Issue>`);
}
