import type { Role } from "../../../web/guard/user.ts";
import type { Html } from "../../../web/html.ts";
import { choiceField, type FormState } from "../../../web/parts/fields.ts";

export const ROLE_LABELS: Record<Role, string> = { viewer: "Viewer", editor: "Editor", admin: "Administrator" };

const ROLE_HINT =
  "Viewers see everything except settings and users. Editors also edit records and send or replay messages. Administrators also manage users, tokens and senders.";

export function roleField(state: FormState): Html {
  return choiceField(state, { name: "role", label: "Role", hint: ROLE_HINT, required: true, choices: Object.entries(ROLE_LABELS) });
}
