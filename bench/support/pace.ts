/** How long and how often each case is measured; `--quick` fits all of them into a minute. */
export type Pace = { warmUpSeconds: number; seconds: number; rounds: number; scale: number };

export const THOROUGH: Pace = { warmUpSeconds: 2, seconds: 4, rounds: 3, scale: 1 };
export const QUICK: Pace = { warmUpSeconds: 0.5, seconds: 1, rounds: 1, scale: 0.05 };
