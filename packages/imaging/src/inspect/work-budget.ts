import { limits } from '@uprez/contracts/policy/limits';

type WalkedFormat = keyof typeof limits.inspectionSteps;
/** Counts the steps of all header parsers in one file. A step is a directory, an entry, a chunk, a segment, or a block. */
export type WorkBudget = {
  /** Count a step in a file of this format. Returns false when its budget is used up. */
  take: (format: WalkedFormat) => boolean;
  /** Steps counted so far, including the one that exceeded the budget. */
  steps: () => number;
};

export function makeWorkBudget(): WorkBudget {
  let steps = 0;
  return { take: (format) => ++steps <= limits.inspectionSteps[format], steps: () => steps };
}

/** Whether a parser stopped early because the file needs more steps than its format is given. */
export const isOverBudget = (budget: WorkBudget, format: string): boolean =>
  budget.steps() > ((limits.inspectionSteps as Partial<Record<string, number>>)[format] ?? Number.POSITIVE_INFINITY);
