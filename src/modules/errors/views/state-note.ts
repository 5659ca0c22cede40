import type { ErrorGroup, StateReason } from "../../../errors/storage/group.ts";
import { type Html, html } from "../../../web/html.ts";
import { counted } from "../../../web/parts/amount.ts";
import { localMoment, moment } from "../../../web/parts/moment.ts";

type Stated = Pick<ErrorGroup, "state" | "why" | "since" | "mutedUntil" | "muteAbove">;

/** The state of a group in a word, with what led to it or what ends it. */
export function stateNote(group: Stated): Html {
  const { words, at } = explain(group);
  return html`<span class="badge ${BADGES[group.state]}">${group.state}</span> ${
      at === undefined ? words : html`${words} <span class="nowrap">${moment(at)}</span>`
    }`;
}

const BADGES = { open: "warn", resolved: "good", muted: "" } as const;

/** The same as text. */
export function stateText(group: Stated): string {
  const { words, at } = explain(group);
  return [group.state, words, at === undefined ? "" : localMoment(at)].filter(Boolean).join(" ");
}

/** `at` is the time that the words are about. A group that is open since its first entry needs none. */
function explain({ state, why, since, mutedUntil, muteAbove }: Stated): { words: string; at: number | undefined } {
  if (muteAbove !== undefined) return { words: `until more than ${counted(muteAbove, "entry", "entries")} in an hour`, at: undefined };
  if (state === "muted") return { words: "until", at: mutedUntil };
  if (state === "open" && why === "new") return { words: "", at: undefined };
  return { words: state === "open" && why === "person" ? "reopened" : REASONS[why], at: since };
}

/** What led to a state that nobody set; the first entry needs no word. */
const REASONS: Readonly<Record<StateReason, string>> = {
  new: "",
  regressed: "regressed",
  louder: "more than it was muted for",
  expired: "mute ended",
  person: "",
};
