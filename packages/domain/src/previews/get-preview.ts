import { AppError } from '@uprez/contracts/errors/app-error';
import type { Needs } from '../context.ts';
import { findJobWithFiles, type JobWithFiles } from '../jobs/get-job.ts';

/** A preview by the id that only its maker knows. Throws `job_not_found`. */
export async function getPreview(ctx: Needs<'db'>, id: string): Promise<JobWithFiles> {
  const found = await findJobWithFiles(ctx, id);
  if (found?.job.kind !== 'preview') throw new AppError('job_not_found');
  return found;
}
