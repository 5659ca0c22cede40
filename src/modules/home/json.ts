import { toRecord } from "../dev/log/export.ts";
import type { Home } from "./pages.ts";

/** The figures of the home page; times in UTC. */
export function homeJson({ properties, categories, outcomes, errors, openGroups, messages, silence, refused, reach }: Home) {
  const { total, exact } = outcomes;
  const longest = silence.longest.map(({ code, name, last_message_at: at }) => ({
    code,
    name,
    lastMessageAt: at && new Date(at).toISOString(),
  }));
  return {
    endpoint: reach.endpoint,
    properties,
    categories,
    lastDay: {
      messages: { total, exact, outcomes: Object.fromEntries(outcomes.outcomes) },
      errors,
      refused,
      silent: { ...silence.count, longest },
    },
    openErrorGroups: openGroups,
    messages: messages.map(toRecord),
  };
}
