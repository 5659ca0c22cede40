import type { FastifyRequest } from "fastify";

/** Whether a page at `origin` is one of ours: by `PUBLIC_URL` where it is set, else by the host the request was sent to. */
export function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: URL | undefined): boolean {
  if (publicUrl && origin === publicUrl.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
