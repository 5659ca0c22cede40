import { MAX_LINES } from "../../limits.ts";
import { FIELD_DEFINITIONS } from "./fields.ts";

/** Returns the JSON Schema (2020-12) of `{"values": [...]}`, generated from the supported fields. */
export function valuesSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Availability, rates and restrictions",
    type: "object",
    required: ["values"],
    properties: {
      values: {
        type: "array",
        minItems: 1,
        maxItems: MAX_LINES,
        items: {
          type: "object",
          anyOf: [{ required: ["room_type_id"] }, { required: ["rate_plan_id"] }],
          oneOf: [{ required: ["date"] }, { required: ["date_from", "date_to"] }],
          properties: Object.fromEntries(Object.entries(FIELD_DEFINITIONS).map(([name, { schema }]) => [name, schema])),
        },
      },
    },
  };
}
