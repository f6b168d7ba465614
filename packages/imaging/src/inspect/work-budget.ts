import { limits } from '@uprez/contracts/policy/limits';

type WalkedFormat = keyof typeof limits.inspectionSteps;
/**
 * Counts the steps of all header parsers for one file. A step is a directory, an entry, a chunk, a segment, or a block.
 */
export type WorkBudget = {
  /** Counts a step for a file of this format. Returns false if the format's budget is used up. */
  take: (format: WalkedFormat) => boolean;
  /** Steps counted so far, including the one that exceeded the budget. */
  steps: () => number;
};

export function makeWorkBudget(): WorkBudget {
  let steps = 0;
  return { take: (format) => ++steps <= limits.inspectionSteps[format], steps: () => steps };
}

/** Whether a parser stopped early because the file needs more steps than the budget of its format. */
export const isOverBudget = (budget: WorkBudget, format: string): boolean =>
  budget.steps() > ((limits.inspectionSteps as Partial<Record<string, number>>)[format] ?? Number.POSITIVE_INFINITY);
