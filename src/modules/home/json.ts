import { toRecord } from "../dev/log/export.ts";
import type { HomeView } from "./pages.ts";

export function homeJson({
  properties,
  categories,
  outcomes,
  errors,
  openGroups,
  messages,
  silence,
  ages,
  refused,
  connections,
  causes,
  channel,
  pruningBehindDays,
  alerts,
}: HomeView) {
  const { total, exact } = outcomes;
  const longestSilent = silence.longest.flatMap(({ code, name, last_message_at: at, last_refused_at: refusedAt }) =>
    at === null ? [] : [{ code, name, lastMessageAt: new Date(at).toISOString(), ...lastRefused(refusedAt) }],
  );
  const neverSentOldest = silence.longest.flatMap(({ code, name, created_at: at, last_message_at: last, last_refused_at: refusedAt }) =>
    last === null ? [{ code, name, createdAt: new Date(at).toISOString(), ...lastRefused(refusedAt) }] : [],
  );
  return {
    endpoint: channel.endpoint,
    properties,
    categories,
    lastDay: {
      messages: { total, exact, outcomes: Object.fromEntries(outcomes.outcomes) },
      errors,
      refused,
      silent: { ...silence.silent, longest: longestSilent },
      causes: causes.map(({ sender, code, text, count, lastAt, message }) => ({ sender, code, text, count, lastAt: iso(lastAt), message })),
      connections: connections.map(({ name, health: { acceptedShare, hours } }) => ({ name, acceptedShare, hours })),
    },
    lastAccepted: ages,
    neverSent: { ...silence.neverSent, oldest: neverSentOldest },
    openErrorGroups: openGroups,
    openAlerts: alerts.map(({ id, text, opened_at: at }) => ({ id, text, openedAt: iso(at) })),
    pruningBehindDays,
    messages: messages.map(toRecord),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function lastRefused(at: number | null): { lastRefusedAt?: string } {
  return at === null ? {} : { lastRefusedAt: new Date(at).toISOString() };
}
