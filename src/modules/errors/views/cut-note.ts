import { OVERSIZE, REPEATS } from "../../../errors/describe/ignore.ts";
import type { ErrorDetail } from "../../../errors/entry.ts";
import type { Drop } from "../../../errors/storage/drop-store.ts";
import { type Html, html, nothing } from "../../../web/html.ts";
import { amount, counted } from "../../../web/parts/amount.ts";
import { moment } from "../../../web/parts/moment.ts";
import { dropsNote, type LeftOut } from "./drops-note.ts";

/** What the log lacks: errors that were only counted, context of repeats, and entries that were removed to keep to `megabytes`. */
export type Gaps = { leftOut: readonly LeftOut[]; cuts: readonly Drop[]; megabytes: number };

/** Says on the lists what the log lacks; nothing if it is complete. */
export function gapsNote({ leftOut, cuts, megabytes }: Gaps): Html {
  const repeats = cuts.find(({ rule }) => rule === REPEATS);
  const oversize = cuts.find(({ rule }) => rule === OVERSIZE);
  return html`${dropsNote(leftOut)} ${repeats === undefined ? nothing : repeatsNote(repeats)}
  ${oversize === undefined ? nothing : oversizeNote(oversize, megabytes)}`;
}

function repeatsNote({ count, lastAt }: Drop): Html {
  return html`<p class="notice">
    ${counted(count, "repeat was", "repeats were")} recorded without context because too many came at once; the last on ${moment(lastAt)}.
  </p>`;
}

function oversizeNote({ count, lastAt }: Drop, megabytes: number): Html {
  return html`<p class="notice warn">
    ${counted(count, "old entry was", "old entries were")} removed to keep the log within ${amount(megabytes)} MB; the last on
    ${moment(lastAt)}. <code>KEEP_ERRORS_MB</code> sets the limit.
  </p>`;
}

const TEXTS = {
  size: "Part of this entry was cut: a value keeps 1 kB, the request 8 kB and all other details 8 kB. A shortened value says how long it was.",
  repeat:
    "This error repeated too fast, so only its time and path were kept, not its request context. Earlier entries of its group may have it.",
} as const;

/** What an entry lacks; undefined if it is complete. */
export function cutText({ cut }: ErrorDetail): string | undefined {
  return cut && TEXTS[cut];
}
