import type { Generated } from "kysely";

/** A rule with neither `property` nor `group_name` is about all properties. `limit_value` is in hours, percent or nights; 0 if the kind has none. */
export type AlertRuleRow = {
  id: Generated<number>;
  kind: string;
  limit_value: number;
  property: string | null;
  group_name: string | null;
  created_by: string;
  created_at: number;
};

/** `posted_at` and `mailed_at` are when it was last sent by webhook and by e-mail. */
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
