import type { Database } from "../../db/database.ts";
import { nightDetail } from "../../grid/night-detail.ts";
import type { GridScene } from "../../grid/scene.ts";
import type { Html } from "../../web/html.ts";

/** The history of a night's amounts and restrictions under a rate plan, or without one. */
export function ratePanel(database: Database, scene: GridScene): Promise<Html> {
  const { category, plan } = scene.query.nightRow;
  const what = plan === "" ? `${category}, no rate plan` : `${category}, rate plan ${plan}`;
  return nightDetail(database, scene, { kind: "rate", lane: plan, groups: ["amounts", "restrictions", "allotment"], what });
}
