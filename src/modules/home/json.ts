import { toRecord } from "../dev/log/export.ts";
import type { Home } from "./pages.ts";

export function homeJson({
  properties,
  categories,
  outcomes,
  errors,
  openGroups,
  messages,
  silence,
  refused,
  reach,
  pruningBehindDays,
}: Home) {
  const { total, exact } = outcomes;
  const longest = silence.longest.flatMap(({ code, name, last_message_at: at }) =>
    at === null ? [] : [{ code, name, lastMessageAt: new Date(at).toISOString() }],
  );
  const oldest = silence.longest.flatMap(({ code, name, created_at: at, last_message_at: last }) =>
    last === null ? [{ code, name, createdAt: new Date(at).toISOString() }] : [],
  );
  return {
    endpoint: reach.endpoint,
    properties,
    categories,
    lastDay: {
      messages: { total, exact, outcomes: Object.fromEntries(outcomes.outcomes) },
      errors,
      refused,
      silent: { ...silence.silent, longest },
    },
    unheard: { ...silence.unheard, oldest },
    openErrorGroups: openGroups,
    pruningBehindDays,
    messages: messages.map(toRecord),
  };
}
