import type { Plan } from "../parts/plan.ts";
import type { PlanRead } from "./rate-plan.ts";

/** What is gathered while a message of rate plans is decided; it has no counts that could reopen a hotel. */
export type Sheet = Omit<Plan, "reopening">;

/** A plan on its way to the nights; `full` when everything it had before was taken away. */
export type Planned = { plan: PlanRead; code: string; full: boolean };
