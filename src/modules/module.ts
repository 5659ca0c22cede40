import type { FastifyInstance } from "fastify";

/** Describes a folder in `src/modules/`. */
export type ModuleDescription = {
  /** First path segment of its URLs. */
  name: string;
  /** Describes the module in one sentence for `/tools/modules`. */
  about: string;
  /** The tables it owns. */
  tables: readonly string[];
  /** Names of the modules it imports. */
  uses: readonly string[];
  /** Its background jobs, and how often each one runs. */
  jobs?: readonly string[];
};

/** `Needs` lists the services the module gets from `app.ts`. */
export type Module<Needs> = ModuleDescription & { register: (app: FastifyInstance, needs: Needs) => void | Promise<void> };
