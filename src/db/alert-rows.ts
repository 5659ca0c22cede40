import type { Generated } from "kysely";

/** Applies to all properties if `property` and `group_name` are null. `limit_value` is in hours, percent or nights; 0 if not used. */
export type AlertRuleRow = {
  id: Generated<number>;
  kind: string;
  limit_value: number;
  property: string | null;
  group_name: string | null;
  created_by: string;
  created_at: number;
};

/** `posted_at` and `mailed_at` are when the alert was last sent by webhook and by email. */
export type AlertRow = {
  id: Generated<number>;
  rule: number;
  text: string;
  opened_at: number;
  closed_at: number | null;
  muted_until: number | null;
  posted_at: number | null;
  mailed_at: number | null;
};
