import type { Operation } from "../../../../calendar/operation.ts";
import type { Scene } from "../../message.ts";
import type { Clipper } from "../parts/clip.ts";
import type { Span } from "../parts/dates.ts";
import type { Summary } from "../parts/summary.ts";
import type { Targets } from "../parts/targets.ts";
import type { PlanRead } from "./rate-plan.ts";

/** What is gathered while a message of rate plans is decided. */
export type Sheet = {
  scene: Scene;
  operations: Operation[];
  targets: Targets;
  clipper: Clipper;
  summary: Summary;
  overlaps: (target: string, span: Span) => void;
};

/** A plan on its way to the nights; `full` when everything it had before was taken away. */
export type Planned = { plan: PlanRead; code: string; full: boolean };
