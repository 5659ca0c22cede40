import type { FastifyInstance, FastifyRequest } from "fastify";
import { currentRequest } from "./current-request.ts";
import { type Html, html, emptyHtml } from "./html.ts";

/** `delayMs` is set if the request has read from a replica of the database. It is the maximum age of the data. */
type ReplicaStatus = { delayMs?: number };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether GET requests may read slightly stale data. */
    readsReplica?: boolean;
  }
  interface FastifyRequest {
    replicaReading: ReplicaStatus | undefined;
  }
}

/** Runs after access has been checked, because a session that has just begun may be missing on a replica. */
export function addReplicaReading(app: FastifyInstance): void {
  app.decorateRequest("replicaReading");
  app.addHook("preHandler", (request, _reply, done) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && request.routeOptions.config.readsReplica) request.replicaReading = {};
    done();
  });
}

export function currentReplicaStatus(): ReplicaStatus | undefined {
  return currentRequest()?.replicaReading;
}

export function replicaNote({ replicaReading }: FastifyRequest): Html {
  if (replicaReading?.delayMs === undefined) return emptyHtml;
  const seconds = Math.max(1, Math.ceil(replicaReading.delayMs / 1_000));
  return html`<p class="muted">Read from a replica. The data may be up to ${seconds} ${seconds === 1 ? "second" : "seconds"} old.</p>`;
}
