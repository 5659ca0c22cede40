import type { FastifyRequest } from "fastify";
import { AccessException } from "./access-exception.ts";
import { networks } from "./networks.ts";
import type { SignInLog } from "./sign-in-log.ts";
import { isName, type User } from "./user.ts";

/** A proxy that signs people in and names them in a header: which one, from which networks it comes, and who of them are administrators. */
export type UserProxy = { header: string; networks: readonly string[]; admins: readonly string[] };

/** Answers the user whom the proxy names; undefined for a request without a name, or from elsewhere, where anybody can write the header. */
export function userProxy({ header, admins, ...proxy }: UserProxy, signIns: SignInLog): (request: FastifyRequest) => User | undefined {
  const field = header.toLowerCase();
  const isProxy = networks(proxy.networks);
  return ({ headers, raw, log, id: reqId }) => {
    const named = headers[field];
    if (named === undefined || named === "") return undefined;
    const { remoteAddress: peer } = raw.socket;
    if (!isProxy(peer)) {
      signIns.namedByStranger({ ip: peer ?? "", log, reqId });
      return undefined;
    }
    const name = readName(String(named));
    if (name === undefined) {
      log.warn({ reqId, ip: peer }, "the proxy names no user, or more than one");
      throw new AccessException(401, UNREADABLE);
    }
    return { name, role: admins.includes(name) ? "admin" : "viewer" };
  };
}

const UNREADABLE = "The proxy must name one user, in at most 100 characters, without a comma, and not open.";

/** Node reads headers as Latin-1, and joins those of the same name with a comma: one of them may be of the client itself. */
function readName(sent: string): string | undefined {
  const name = Buffer.from(sent, "latin1").toString("utf8");
  return isName(name) && !name.includes(",") ? name : undefined;
}
