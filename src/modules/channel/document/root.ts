import type { Message } from "../message.ts";
import { type Fault, messageNotSupported, unexpectedNamespace, unknownMessage } from "../ota-error.ts";

/** The namespace of OpenTravel messages in every release; senders may leave it out. */
export const OTA_NAMESPACE = "http://www.opentravel.org/OTA/2003/05";

/** Why there is no request: an `unsupported` message exists in OpenTravel, the others cannot be read. */
export type Problem = { kind: "malformed" | "dtd" | "namespace" | "unknown" | "unsupported" | "empty-envelope"; fault: Fault };

/** Whether reading stopped within the document, so that nothing in it counts. */
export function isUnreadable(problem: Problem | undefined): boolean {
  return problem?.kind === "malformed" || problem?.kind === "dtd";
}

/** Whether an element has the name of an OpenTravel request. */
export function isRequest(name: string): boolean {
  return /^OTA_\w{1,64}RQ$/.test(name);
}

/** What is wrong with the root of a message; `message` is the one with that root. */
export function rootProblem(name: string, namespace: string, message: Message | undefined): Problem | undefined {
  const isOta = isRequest(name);
  if (isOta && namespace !== OTA_NAMESPACE && namespace !== "") return { kind: "namespace", fault: unexpectedNamespace(namespace) };
  if (message) return undefined;
  return isOta ? { kind: "unsupported", fault: messageNotSupported(name) } : { kind: "unknown", fault: unknownMessage(name) };
}
