import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { HandleMessage } from "../channel/handler.ts";

export type DevDeps = { config: Config; clock: Clock; database: Database; handle: HandleMessage };
