import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Admin } from './open-admin.ts';

type Size = 'width' | 'height' | 'format';
type ShownPlan = Pick<ImagePipeline, 'engine'> & Record<'source' | 'output', Pick<ImagePipeline['output'], Size>>;

const plan: ShownPlan = {
  engine: 'standard',
  source: { width: 300, height: 200, format: 'png' },
  output: { width: 600, height: 400, format: 'png' },
};

/**
 * Inserts a finished job, for screens that list jobs without their images. The job has failed if `errorCode` is set;
 * otherwise, it has expired.
 */
export async function insertJob(
  db: Admin['world']['db'],
  { errorCode = null, ...job }: { accountId: string; filename: string; errorCode?: ErrorCode | null },
): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      ...job,
      id: randomUUID(),
      kind: 'image',
      status: errorCode ? 'failed' : 'expired',
      errorCode,
      recipe: JSON.stringify({ ...recipeDefaults, scaleFactor: 2 }),
      plan: JSON.stringify(plan),
      estimatedSeconds: 0.1,
      sourceBytes: 1_000,
      startedAt: new Date(),
      finishedAt: new Date(),
    })
    .execute();
}
