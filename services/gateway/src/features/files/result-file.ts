import { AppError } from '@uprez/contracts/errors/app-error';
import { resultFormat } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { resultName } from '../jobs/present-job.ts';
import type { Sent } from './send-object.ts';

/** The result of a job as a file. Throws `job_not_finished` or `result_expired`. */
export function resultFile({ job, result }: JobWithFiles): Sent {
  if (job.status === 'queued' || job.status === 'processing') throw new AppError('job_not_finished');
  if (!result) throw new AppError('result_expired');
  const mimeType = mimeTypes[resultFormat(job)];
  return { object: result, accountId: job.accountId, mimeType, filename: resultName(job), disposition: 'attachment' };
}
