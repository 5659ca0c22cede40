import type { FastifyInstance, FastifyReply } from "fastify";
import { hashPassword } from "../../../access/password-hash.ts";
import { acceptInvitation, findInvited } from "../../../access/person-changes.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { type Faults, readTyped } from "../../../web/form.ts";
import { seeOther, sendPage } from "../../../web/page.ts";
import { path } from "../../../web/path.ts";
import type { ToolDeps } from "../tool.ts";
import { choosePasswordPage, invitationPage } from "./invitation-page.ts";
import { readNewPassword } from "./new-password.ts";

const MAX_BODY_BYTES = 16 * 1024;

type InvitationDeps = Pick<ToolDeps, "database" | "clock">;

/** Adds the invitation page. The secret is sent in a form body; a script or the user copies it there from the end of the link. */
export function addInvitationPage(app: FastifyInstance, needs: InvitationDeps): void {
  const route = { url: "/tools/invitation", about: "choose a password with an invitation link", access: "open", token: "visitor" } as const;
  addAnyRoute(app, { ...route, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const action = actionOf(request);
    if (action !== "open" && action !== "accept") return sendPage(reply, invitationPage(reply.visitorToken()));
    const { secret = "" } = readTyped(request.body);
    const person = await findInvited(needs.database, secret, needs.clock.now());
    if (person === undefined) return sendExpiredNotice(reply);
    const invitation = { name: person.name, secret };
    return action === "open" ? askForPassword(reply, invitation) : acceptFromForm(needs, invitation, reply);
  });
}

type InvitationSecret = { name: string; secret: string };

function sendExpiredNotice(reply: FastifyReply): FastifyReply {
  const fault = "This invitation is not valid. It may have been used, replaced or expired. Ask an administrator for a new link.";
  return sendPage(reply, invitationPage(reply.visitorToken(), fault));
}

function askForPassword(reply: FastifyReply, invited: InvitationSecret, faults: Faults = {}): FastifyReply {
  return sendPage(reply, choosePasswordPage({ ...invited, faults, token: reply.visitorToken() }));
}

async function acceptFromForm(needs: InvitationDeps, invited: InvitationSecret, reply: FastifyReply): Promise<FastifyReply> {
  const { password, faults } = readNewPassword(reply.request.body);
  if (Object.keys(faults).length > 0) return askForPassword(reply, invited, faults);
  const { database, clock } = needs;
  const by = { at: clock.now(), kind: "person", address: reply.request.ip } as const;
  const person = await acceptInvitation(database, { secret: invited.secret, password: await hashPassword(password) }, by);
  if (person === undefined) return sendExpiredNotice(reply);
  await reply.signIn({ name: person.name, role: person.role, kind: "person" });
  return seeOther(reply, path`/`, `Welcome, ${person.name}. Your password is set.`);
}
