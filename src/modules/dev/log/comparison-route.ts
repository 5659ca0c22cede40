import type { FastifyReply, FastifyRequest } from "fastify";
import type { MessageRow } from "../../../db/schema.ts";
import { findBodies, findPrevious, type KeptBodies, type MessageDetail } from "../../../journal/messages.ts";
import { sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import type { DevNeeds } from "../needs.ts";
import { bodyText } from "./body.ts";
import { comparisonPage, type MessageComparison, obstacleText } from "./comparison-page.ts";
import { compareDocuments } from "./comparison.ts";

export async function sendComparison(
  { database }: DevNeeds,
  detail: MessageDetail,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { message } = detail;
  const previous = message.root === null ? undefined : await findPrevious(database, message);
  const compared = await compare(detail, previous, previous && (await findBodies(database, previous.id)));
  return wantsJson(request) ? sendJson(reply, comparisonJson(compared)) : sendPage(reply, comparisonPage(compared));
}

async function compare(
  { message, bodies, notes }: MessageDetail,
  previous: MessageRow | undefined,
  previousBodies: KeptBodies | undefined,
): Promise<MessageComparison> {
  if (message.root === null) return { message, previous, obstacle: "unknown type" };
  if (!previous) return { message, previous, obstacle: "first of its type" };
  if (!bodies) return { message, previous, obstacle: "own body gone" };
  if (!previousBodies) return { message, previous, obstacle: "previous body gone" };
  const comparison = await compareDocuments(documentOf(previousBodies), documentOf({ bodies, notes }));
  return { message, previous, same: Buffer.compare(previousBodies.bodies.request, bodies.request) === 0, comparison };
}

function documentOf({ bodies, notes }: { bodies: KeptBodies["bodies"]; notes: MessageDetail["notes"] }): string {
  const { document, raw } = bodyText(bodies.request, notes?.headers["content-type"] ?? "");
  return document || raw;
}

/** `differences` is null if the messages cannot be compared; `reason` says why. */
function comparisonJson(compared: MessageComparison) {
  const { message, previous } = compared;
  const ids = { message: message.id, earlier: previous?.id ?? null };
  if (compared.obstacle !== undefined) return { ...ids, differences: null, reason: obstacleText(compared.obstacle, compared) };
  const { complete, approximate, blocks } = compared.comparison;
  return { ...ids, same: compared.same, whole: complete, rough: approximate, differences: blocks.filter(({ of }) => of !== "both") };
}
