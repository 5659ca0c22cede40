/** Lists sign-ins or refusals without reading all other entries of the audit log. */
export const up = (): string[] => [`create index audit_action on audit (action, id)`];
