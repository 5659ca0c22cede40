import type { FastifyReply, FastifyRequest } from "fastify";
import type { MessageRow } from "../../../db/schema.ts";
import { findBodies, findPrevious, type KeptBodies, type MessageDetail } from "../../../journal/messages.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import type { Services } from "../../module.ts";
import { bodyText } from "./body-text.ts";
import { type Compared, comparisonPage, obstacleWords } from "./comparison-page.ts";
import { compareDocuments } from "./comparison.ts";

/** Answers how a message's request differs from that of the message before it of the same kind. */
export async function answerComparison(
  { database }: Services,
  detail: MessageDetail,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { message } = detail;
  const earlier = message.root === null ? undefined : await findPrevious(database, message);
  const compared = await compare(detail, earlier, earlier && (await findBodies(database, earlier.id)));
  return wantsJson(request) ? sendJson(reply, toRecord(compared)) : sendPage(reply, comparisonPage(compared));
}

async function compare(
  { message, bodies, notes }: MessageDetail,
  earlier: MessageRow | undefined,
  earlierBodies: KeptBodies | undefined,
): Promise<Compared> {
  if (message.root === null) return { message, earlier, obstacle: "unknown kind" };
  if (!earlier) return { message, earlier, obstacle: "first of its kind" };
  if (!bodies) return { message, earlier, obstacle: "own body gone" };
  if (!earlierBodies) return { message, earlier, obstacle: "earlier body gone" };
  const comparison = await compareDocuments(documentOf(earlierBodies), documentOf({ bodies, notes }));
  return { message, earlier, same: Buffer.compare(earlierBodies.bodies.request, bodies.request) === 0, comparison };
}

function documentOf({ bodies, notes }: { bodies: KeptBodies["bodies"]; notes: MessageDetail["notes"] }): string {
  const { document, raw } = bodyText(bodies.request, notes?.headers["content-type"] ?? "");
  return document || raw;
}

/** `differences` is null where there is nothing to compare, which `reason` says. */
function toRecord(compared: Compared) {
  const { message, earlier } = compared;
  const ids = { message: message.id, earlier: earlier?.id ?? null };
  if (compared.obstacle !== undefined) return { ...ids, differences: null, reason: obstacleWords(compared.obstacle, compared) };
  const { whole, rough, stretches } = compared.comparison;
  return { ...ids, same: compared.same, whole, rough, differences: stretches.filter(({ of }) => of !== "both") };
}
