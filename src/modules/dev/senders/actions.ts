import { HOUR_MS } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import type { By } from "../../../records/audit.ts";
import { findCategory } from "../../../records/category/store.ts";
import { findProperty } from "../../../records/property/store.ts";
import type { Faults, TypedValues } from "../../../web/form.ts";
import { NotFoundException } from "../../../web/http-error.ts";
import { type CodeKind, removeCode, setCode } from "../../channel/senders/code-store.ts";
import {
  deleteSender,
  disableSender,
  enableSender,
  revokeOldSecret,
  narrowScope,
  rotateSecret,
  setProfile,
  widenScope,
} from "../../channel/senders/edit-store.ts";
import type { Sender } from "../../channel/senders/store.ts";
import { isCodeKind, KIND_LABELS } from "./codes.ts";
import { splitCodes, findUnknownPropertyCode, readDays, readProfileForm } from "./forms.ts";
import { OVERLAP_CHOICES } from "./settings.ts";

/** The result of an action: a message to show, form errors, a new secret to show, or that the connection was deleted. */
export type ActionResult = { flash: string } | { faults: Faults } | { secret: string } | { deleted: string };

type ActionContext = { database: Database; sender: Sender; typed: TypedValues; by: By };

export const SENDER_ACTIONS: Readonly<Record<string, (acting: ActionContext) => Promise<ActionResult>>> = {
  async rotate({ database, sender, typed, by }) {
    const [hours] = OVERLAP_CHOICES.find(([one]) => one === typed["overlap"]) ?? ["0"];
    const expiresAt = readDays(typed["days"] ?? "", by.at);
    if (!expiresAt.ok) return { faults: expiresAt.faults };
    const rotation = {
      name: sender.name,
      oldUntil: by.at + Number(hours) * HOUR_MS,
      expiresAt: expiresAt.value,
      digest: typed["digest"] === "on",
    };
    const secret = await rotateSecret(database, rotation, by);
    if (secret === undefined) throw new NotFoundException(`Connection '${sender.name}' not found`);
    return { secret };
  },
  async "end-old"({ database, sender, by }) {
    await revokeOldSecret(database, sender.name, by);
    return { flash: "The previous secret no longer works." };
  },
  async profile({ database, sender, typed, by }) {
    const profileForm = readProfileForm(typed);
    if (!profileForm.ok) return { faults: profileForm.faults };
    await setProfile(database, { name: sender.name, profile: profileForm.value }, by);
    return { flash: "The profile was saved." };
  },
  async narrow({ database, sender, typed, by }) {
    const hotels = splitCodes(typed["keep"] ?? "");
    if (hotels.length === 0) return { faults: { keep: "Enter at least one property code" } };
    const unknownProperty = await findUnknownPropertyCode(database, hotels);
    if (unknownProperty !== undefined) return { faults: { keep: `Property ${unknownProperty} does not exist` } };
    const result = await narrowScope(database, { name: sender.name, hotels }, by);
    if (result === "wider") return { faults: { keep: "Limiting access can't add properties. Use “Add properties” instead" } };
    return { flash: `${sender.name} has access to ${hotels.join(", ")} only.` };
  },
  widen: widenAccess,
  async disable({ database, sender, by }) {
    await disableSender(database, sender.name, by);
    return { flash: `${sender.name} is disabled. Its messages are refused.` };
  },
  async enable({ database, sender, by }) {
    await enableSender(database, sender.name, by);
    return { flash: `${sender.name} is enabled.` };
  },
  async delete({ database, sender, typed, by }) {
    if (typed["sure-delete"] !== "on") return { faults: { "sure-delete": "Confirm that you want to delete this connection" } };
    await deleteSender(database, sender.name, by);
    return { deleted: `Connection ${sender.name} was deleted.` };
  },
  map: mapCode,
  async unmap({ database, sender, typed, by }) {
    const { kind = "", property = "", code = "" } = typed;
    await removeCode(database, { sender: sender.name, kind: kind as CodeKind, property, code }, by);
    return { flash: `Code ${code} is no longer mapped.` };
  },
};

async function widenAccess({ database, sender: { name }, typed, by }: ActionContext): Promise<ActionResult> {
  const hotels = typed["all"] === "on" ? undefined : splitCodes(typed["add"] ?? "");
  const faults: Record<string, string> = {};
  const unknownProperty = await findUnknownPropertyCode(database, hotels ?? []);
  if (hotels?.length === 0) faults["add"] = "Enter at least one property code, or choose all properties";
  if (unknownProperty !== undefined) faults["add"] = `Property ${unknownProperty} does not exist`;
  if (typed["sure"] !== "on") faults["sure"] = "Confirm that you want to give this connection more access";
  if (Object.keys(faults).length > 0) return { faults };
  await widenScope(database, { name, hotels }, by);
  return { flash: `${name} now has access to ${hotels?.join(", ") ?? "all properties"}.` };
}

async function mapCode({ database, sender, typed, by }: ActionContext): Promise<ActionResult> {
  const { kind = "", property = "", code = "", target = "" } = typed;
  if (!isCodeKind(kind)) return { faults: { kind: "Choose a property, a category or a rate plan" } };
  if (code === "") return { faults: { code: "Enter the sender's code" } };
  const fault = await targetFault({ kind, property, target }, database);
  if (fault) return { faults: fault };
  const senderCode = { sender: sender.name, kind, property: kind === "property" ? "" : property, code, target };
  const result = await setCode(database, senderCode, by);
  if (result === "duplicate") return { faults: { target: `This sender already has a different code for ${target}` } };
  return { flash: `${code} is now mapped to ${KIND_LABELS[kind]} ${target}.` };
}

type CodeTarget = { kind: CodeKind; property: string; target: string };

/** Returns the error for a target, if any. The code of a rate plan need not exist yet, because a message may create the plan later. */
async function targetFault({ kind, property, target }: CodeTarget, database: Database): Promise<Faults | undefined> {
  if (target === "") return { target: "Enter the code that Roomrack uses" };
  if (kind === "property") return (await findProperty(database, target)) ? undefined : { target: `Property ${target} does not exist` };
  if (!(await findProperty(database, property)))
    return { property: property === "" ? "Enter a property code" : `Property ${property} does not exist` };
  if (kind === "plan" || (await findCategory(database, property, target))) return undefined;
  return { target: `Property ${property} has no category ${target}` };
}
