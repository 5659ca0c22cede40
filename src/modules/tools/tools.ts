import { aliasesTool } from "./pages/aliases.ts";
import { cachesTool } from "./pages/caches.ts";
import { makeDbsyncTool } from "./pages/dbsync.ts";
import { envTool } from "./pages/env.ts";
import { modulesTool } from "./pages/modules.ts";
import { type LoopFigures, makePhpinfoTool } from "./pages/phpinfo.ts";
import { readinessTool } from "./pages/readiness.ts";
import { requestTool } from "./pages/request.ts";
import { routesTool } from "./pages/routes.ts";
import { makeDeclaredSchemas, SchemaComparison } from "./schema-comparison.ts";
import type { ToolDeps, Tool } from "./tool.ts";

export function makeTools({ caches, clock }: ToolDeps, readLoop: () => LoopFigures): readonly Tool[] {
  return [
    makeDbsyncTool(new SchemaComparison(caches.add(makeDeclaredSchemas()), clock)),
    cachesTool,
    makePhpinfoTool(readLoop),
    routesTool,
    modulesTool,
    envTool,
    readinessTool,
    requestTool,
    aliasesTool,
  ];
}
