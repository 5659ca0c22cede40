import type { TypedValues } from "../../../web/form.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { type FormState, selectBox, textField, tickField, tokenField } from "../../../web/parts/fields.ts";
import { KNOBS, type KnobName, settingText } from "../../channel/profiles/knobs.ts";
import { describeProfile, settingWords } from "../../channel/profiles/words.ts";
import type { Sender } from "../../channel/senders/store.ts";
import { PROFILE_CHOICES } from "../console/form.ts";

type SettingsView = { sender: Sender; state: FormState; token: string; now: number };

export const OVERLAP_CHOICES = [
  ["0", "stops working immediately"],
  ["1", "stays valid for 1 hour"],
  ["24", "stays valid for 24 hours"],
  ["168", "stays valid for 7 days"],
] as const;

/** Shows the settings. They are rarely needed, so the sections are collapsed unless their form was refused. */
export function settingsSection(view: SettingsView): Html {
  const { profile, hotels } = view.sender;
  const access = hotels?.length === 0 ? "no property" : (hotels?.join(", ") ?? "all properties");
  return html`<section>
    <h2>Settings</h2>
    ${settingsPart(view, { title: `Profile: ${describeProfile(profile)}`, fields: ["profile", "settings"], content: profileForm(view) })}
    ${settingsPart(view, { title: `Access: ${access}`, fields: ["keep", "add", "all", "sure"], content: scopeForms(view) })}
    ${settingsPart(view, { title: "New secret", fields: ["overlap", "days", "digest"], content: secretForms(view) })}
    ${settingsPart(view, { title: "Disable or delete", fields: ["sure-delete"], content: stateForms(view) })}
  </section>`;
}

type SettingsPart = { title: string; fields: readonly string[]; content: Html };

function settingsPart({ state }: SettingsView, { title, fields, content }: SettingsPart): Html {
  const isRefused = fields.some((name) => state.faults[name] !== undefined);
  return html`<details class="panel" ${isRefused ? html`open` : emptyHtml}>
    <summary>${title}</summary>
    ${content}
  </details>`;
}

function profileForm({ sender: { profile }, state, token }: SettingsView): Html {
  const typed: TypedValues = { settings: settingWords(profile.settings).join(" "), ...state.typed };
  const changedSettings = Object.entries(profile.settings) as [KnobName, never][];
  return html`${
      changedSettings.length === 0
        ? emptyHtml
        : html`<ul>
            ${changedSettings.map(([name, value]) => html`<li>${KNOBS[name].about}: ${knobText(name, value)}</li>`)}
          </ul>`
    }
    <form method="post">
      ${tokenField(token)}
      ${selectBox("profile", "Profile", { value: typed["profile"] ?? profile.preset, choices: PROFILE_CHOICES, fault: state.faults["profile"] })}
      ${textField({ ...state, typed }, { name: "settings", label: "Profile settings", hint: "For example, end=excluded, separated by spaces." })}
      <p class="actions"><button type="submit" class="plain" name="action" value="profile">Save profile</button></p>
    </form>`;
}

/** Returns the label of a choice, or the string that was set. */
function knobText(name: KnobName, value: never): string {
  const knob = KNOBS[name];
  const text = settingText(value);
  return "choices" in knob && Object.hasOwn(knob.choices, text) ? (knob.choices as Readonly<Record<string, string>>)[text]! : text;
}

/** Adding properties is a separate form, so that no other change can widen access. */
function scopeForms({ sender: { hotels }, state, token }: SettingsView): Html {
  return html`<form method="post">
      ${tokenField(token)}
      ${textField(state, { name: "keep", label: "Limit to", required: true, hint: hotels === undefined ? "Property codes, separated by commas." : "Properties to keep, separated by commas." })}
      <p class="actions"><button type="submit" class="plain" name="action" value="narrow">Limit access</button></p>
    </form>
    ${hotels === undefined ? emptyHtml : widenForm(state, token)}`;
}

function widenForm(state: FormState, token: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    ${textField(state, { name: "add", label: "Add properties", hint: "Property codes, separated by commas. Required unless you choose all properties." })}
    ${tickField(state, { name: "all", label: "Give access to all properties, including those created later" })}
    ${tickField(state, { name: "sure", label: "I want to give this connection more access" })}
    <p class="actions"><button type="submit" class="plain" name="action" value="widen">Extend access</button></p>
  </form>`;
}

function secretForms({ sender, state, token, now }: SettingsView): Html {
  const hasOldSecret = sender.oldUntil !== undefined && sender.oldUntil > now;
  return html`<form method="post">
      ${tokenField(token)}
      ${selectBox("overlap", "The current secret", { value: state.typed["overlap"] ?? "24", choices: OVERLAP_CHOICES })}
      ${textField(state, { name: "days", label: "New secret valid for (days)", type: "number", size: "short", hint: "Leave blank for no expiry." })}
      ${tickField({ ...state, typed: { digest: sender.digest ? "on" : "", ...state.typed } }, { name: "digest", label: "Uses WS-Security PasswordDigest" })}
      <p class="actions"><button type="submit" class="plain" name="action" value="rotate">Create a new secret</button></p>
    </form>
    ${hasOldSecret ? actionButton(token, "end-old", "Revoke the previous secret") : emptyHtml}`;
}

function stateForms({ sender, state, token }: SettingsView): Html {
  const toggleButton =
    sender.disabledAt === undefined ? actionButton(token, "disable", "Disable") : actionButton(token, "enable", "Enable");
  return html`${toggleButton}
    <form method="post">
      ${tokenField(token)}
      ${tickField(state, { name: "sure-delete", label: "Delete this connection and its code mapping; its messages stay in the log" })}
      <p class="actions"><button type="submit" class="danger" name="action" value="delete">Delete connection</button></p>
    </form>`;
}

function actionButton(token: string, action: string, label: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <p class="actions"><button type="submit" class="plain" name="action" value="${action}">${label}</button></p>
  </form>`;
}
