import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { ErrorLog } from "../../errors/recorder.ts";

export type ErrorsDeps = { errors: ErrorLog; database: Database; clock: Clock; config: Config };
