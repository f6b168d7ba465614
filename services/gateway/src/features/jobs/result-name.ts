import { fileExtensions } from '@uprez/contracts/policy/image-formats';
import { jobFactor } from '@uprez/domain/events/record-job-event';
import type { Job } from '@uprez/domain/jobs/get-job';

/** The name a result is saved under: `<base>-<n>x.<ext>`. */
export function resultName(job: Pick<Job, 'filename' | 'recipe' | 'plan'>): string {
  const base = job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  return `${base}-${jobFactor(job)}x.${fileExtensions[job.plan.output.format]}`;
}
