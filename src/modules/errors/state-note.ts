import { type Html, html, nothing } from "../../web/html.ts";
import { counted } from "../../web/parts/amount.ts";
import { localMoment, moment } from "../../web/parts/moment.ts";
import type { ErrorGroup, StateReason } from "./group.ts";

type Stated = Pick<ErrorGroup, "state" | "why" | "since" | "mutedUntil" | "muteAbove">;

/** The state of a group in a word, with what led to it. */
export function stateNote(group: Stated): Html {
  return html`<span class="badge ${BADGES[group.state]}">${group.state}</span> ${more(group)}`;
}

const BADGES = { open: "warn", resolved: "good", muted: "" } as const;

/** What led to a state that nobody set; the first entry needs no word. */
const REASONS: Readonly<Record<StateReason, string>> = {
  new: "",
  regressed: "regressed",
  louder: "more than it was muted for",
  expired: "mute ended",
  person: "",
};

function more(group: Stated): Html {
  const { state, why, since } = group;
  if (state === "muted") return muteEnd(group);
  if (state === "open" && why === "new") return nothing;
  return html`<span class="nowrap">${why === "person" && state === "open" ? "reopened" : REASONS[why]} ${moment(since)}</span>`;
}

function muteEnd({ mutedUntil, muteAbove }: Stated): Html {
  if (muteAbove !== undefined) return html`until more than ${counted(muteAbove, "entry", "entries")} in an hour`;
  return html`<span class="nowrap">until ${moment(mutedUntil ?? 0)}</span>`;
}

/** The same as text. */
export function stateText(group: Stated): string {
  const { state, why, since, mutedUntil, muteAbove } = group;
  if (state === "muted" && muteAbove !== undefined) return `muted until more than ${counted(muteAbove, "entry", "entries")} in an hour`;
  if (state === "muted") return `muted until ${localMoment(mutedUntil ?? 0)}`;
  if (state === "open" && why === "new") return state;
  return [state, why === "person" && state === "open" ? "reopened" : REASONS[why], localMoment(since)].filter(Boolean).join(" ");
}
