import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { createPerson, listPeople, nameFault, personName } from "../../../access/people.ts";
import { actionOf, addAnyRoute } from "../../../web/any-route.ts";
import { type Faults, readForm, type TypedValues } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { ROLES } from "../../../web/guard/user.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { sendPage } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import type { ToolDeps } from "../tool.ts";
import { sendInvitation, userJson, type UserDeps } from "./user.ts";
import { usersPage } from "./users-page.ts";

export const usersCard = {
  slug: "users",
  access: "admin",
  title: "Users",
  about: "The people who can sign in, and their roles.",
  status: async ({ database }: ToolDeps) => formatCount((await listPeople(database)).length, "user"),
} as const;

export function addUsersPage(app: FastifyInstance, needs: UserDeps): void {
  const route = { url: "/tools/users", about: "named users and their invitations", access: "admin", acts: "admin" } as const;
  addAnyRoute(app, route, (request, reply) =>
    actionOf(request) === "create" ? createFromForm(needs, request, reply) : showList(needs, reply, { typed: {}, faults: {} }),
  );
}

async function showList(needs: UserDeps, reply: FastifyReply, form: { typed: TypedValues; faults: Faults }): Promise<FastifyReply> {
  const { database, clock } = needs;
  const people = await listPeople(database);
  const now = clock.now();
  if (wantsJson(reply.request)) return sendJson(reply, { users: people.map((person) => userJson(person, now)) });
  return sendPage(reply, usersPage({ people, now, open: reply.request.shell.open }, { ...form, token: await formToken(reply) }));
}

const newUserSchema = z.object({
  name: z.string("Enter a user name").superRefine((name, context) => {
    const fault = nameFault(name);
    if (fault !== undefined) context.addIssue(fault);
  }),
  role: z.enum(ROLES, "Choose a role: viewer, editor or admin"),
});

async function createFromForm(needs: UserDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(newUserSchema, request.body);
  if (!form.ok) return refuseNew(needs, reply, form);
  const name = personName(form.value.name);
  const secret = await createPerson(needs.database, { name, role: form.value.role }, { ...request.by, at: needs.clock.now() });
  if (secret === undefined) return refuseNew(needs, reply, { typed: form.typed, faults: { name: `There is already a user '${name}'` } });
  return sendInvitation(needs, { name, secret }, reply);
}

async function refuseNew(needs: UserDeps, reply: FastifyReply, form: { typed: TypedValues; faults: Faults }): Promise<FastifyReply> {
  return wantsJson(reply.request) ? sendFaults(reply, form.faults) : showList(needs, reply, form);
}
