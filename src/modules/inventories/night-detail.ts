import type { Database } from "../../db/database.ts";
import { nightDetail } from "../../grid/night-detail.ts";
import type { GridScene } from "../../grid/scene.ts";
import type { Html } from "../../web/html.ts";

/** The history of a night's counts: the category's, a single room's, or the allotment of a rate plan. */
export function inventoryPanel(database: Database, scene: GridScene): Promise<Html> {
  const { category, plan, room } = scene.query.nightRow;
  if (plan !== "") {
    return nightDetail(database, scene, { kind: "rate", lane: plan, groups: ["allotment"], what: `${category}, allotment of ${plan}` });
  }
  const what = room === "" ? category : `${category}, room ${room}`;
  return nightDetail(database, scene, { kind: "inventory", lane: room, groups: ["counts", "closed"], what });
}
