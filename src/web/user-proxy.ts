import type { FastifyRequest } from "fastify";
import { AccessException } from "./access-exception.ts";
import { networks } from "./networks.ts";
import { isName, type User } from "./user.ts";

/** A proxy that signs people in and names them in a header: which one, from which networks it comes, and who of them are administrators. */
export type UserProxy = { header: string; networks: readonly string[]; admins: readonly string[] };

/** Answers the user whom the proxy names; undefined for a request without a name, or from elsewhere, where anybody can write the header. */
export function userProxy({ header, networks: list, admins }: UserProxy): (request: FastifyRequest) => User | undefined {
  const field = header.toLowerCase();
  const isProxy = networks(list);
  return ({ headers, raw }) => {
    const named = headers[field];
    if (named === undefined || named === "" || !isProxy(raw.socket.remoteAddress)) return undefined;
    const name = Buffer.from(String(named), "latin1").toString("utf8");
    // Node joins headers of the same name with a comma: one may be of the client itself.
    if (name.includes(",") || !isName(name)) throw new AccessException(401, "The proxy must name one user, without a comma.");
    return { name, role: admins.includes(name) ? "admin" : "viewer" };
  };
}
