import type { Example } from "../../example.ts"; export const examples: readonly Example[] = [];
