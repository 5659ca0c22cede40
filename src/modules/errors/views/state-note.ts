import type { ErrorGroup, StateReason } from "../../../errors/storage/group.ts";
import { type Html, html } from "../../../web/html.ts";
import { counted } from "../../../web/parts/amount.ts";
import { localMoment, moment } from "../../../web/parts/moment.ts";

type GroupStatus = Pick<ErrorGroup, "state" | "reason" | "stateAt" | "mutedUntil" | "muteAbove">;

export function stateNote(group: GroupStatus): Html {
  const { text, at } = explain(group);
  return html`<span class="badge ${BADGES[group.state]}">${group.state}</span> ${
      at === undefined ? text : html`${text} <span class="nowrap">${moment(at)}</span>`
    }`;
}

const BADGES = { open: "warn", resolved: "good", muted: "" } as const;

export function stateText(group: GroupStatus): string {
  const { text, at } = explain(group);
  return [group.state, text, at === undefined ? "" : localMoment(at)].filter(Boolean).join(" ");
}

function explain({ state, reason, stateAt, mutedUntil, muteAbove }: GroupStatus): { text: string; at: number | undefined } {
  if (muteAbove !== undefined) return { text: `until more than ${counted(muteAbove, "entry", "entries")} per hour`, at: undefined };
  if (state === "muted") return { text: "until", at: mutedUntil };
  if (state === "open" && reason === "new") return { text: "", at: undefined };
  return { text: state === "open" && reason === "person" ? "reopened" : REASONS[reason], at: stateAt };
}

const REASONS: Readonly<Record<StateReason, string>> = {
  new: "",
  regressed: "regressed",
  louder: "exceeded mute limit",
  expired: "mute expired",
  person: "",
};
