import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { usedSize } from '@uprez/imaging/plan/target-size';

/** How many times as large a job makes its image: what was asked for, or what came of another kind of size. */
export function jobFactor({ recipe, plan }: Pick<JobRow, 'recipe' | 'plan'>): number {
  const { output } = plan;
  const used = usedSize(plan);
  const factor = Math.max(output.width / used.width, output.height / used.height);
  return recipe.scaleFactor ?? Math.max(0.01, Math.round(factor * 100) / 100);
}

/** How long the attempt that made the result took, milliseconds; null where there is none. */
export const processingMs = (job: Pick<JobRow, 'receipt' | 'startedAt' | 'finishedAt'>): number | null =>
  job.receipt && job.finishedAt && job.startedAt ? job.finishedAt.getTime() - job.startedAt.getTime() : null;
