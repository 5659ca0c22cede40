import type { Statement } from "../../db/database.ts";

/**
 * Removes a property from connections and alert rules. Tokens and webhooks keep its code in their lists, so that their consumers are
 * notified of the deletion.
 */
export function referenceRemovals(code: string): Statement[] {
  const quotedCode = JSON.stringify(code);
  const otherHotels = "replace(replace(replace(hotels, ?, ''), ?, ''), ?, '')";
  const places = [`,${quotedCode}`, `${quotedCode},`, quotedCode];
  return [
    { sql: "delete from sender_code where property = ? or (kind = 'property' and target = ?)", values: [code, code] },
    { sql: "delete from alert where rule in (select id from alert_rule where property = ?)", values: [code] },
    { sql: "delete from alert_rule where property = ?", values: [code] },
    { sql: `update sender set hotels = ${otherHotels} where replace(hotels, ?, '') <> hotels`, values: [...places, quotedCode] },
  ];
}
