import { ignoreErrors } from '../../../lib/browser/ignore-errors.ts';
import { deleteUnusedImage } from '../../../lib/images/image-store.ts';

// Stores the latest runs of all tabs in localStorage, because a later visit can reopen a run after its tab was closed.
const storageName = 'uprez.left-jobs';

/** Equals the maximum age of files in the file store, because a job can't be reopened without its image. */
const maxAgeMs = 24 * 60 * 60 * 1_000;
const maxJobs = 10;

/** `imageKey`: the key of the job's image in the file store. */
export type LeftJob = { jobId: string; imageKey: string; savedAt: number };

/** Returns the jobs that haven't expired, newest first. */
export function listLeftJobs(nowMs = Date.now()): LeftJob[] {
  const saved: unknown = ignoreErrors(() => JSON.parse(localStorage.getItem(storageName) ?? '[]'));
  return Array.isArray(saved) ? (saved as LeftJob[]).filter(({ savedAt }) => nowMs - savedAt < maxAgeMs) : [];
}

const saveJobs = (jobs: readonly LeftJob[]) =>
  ignoreErrors(() => {
    if (jobs.length === 0) localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, JSON.stringify(jobs.slice(0, maxJobs)));
  });

const listOtherJobs = (jobId: string) => listLeftJobs().filter((job) => job.jobId !== jobId);

export function saveLeftJob(job: Pick<LeftJob, 'jobId' | 'imageKey'>): void {
  saveJobs([{ ...job, savedAt: Date.now() }, ...listOtherJobs(job.jobId)]);
}

export function forgetLeftJob(jobId: string): void {
  saveJobs(listOtherJobs(jobId));
}

/** Removes a closed tab's job from the list, and deletes its image from the browser. */
export async function dismissLeftJob({ jobId, imageKey }: LeftJob): Promise<void> {
  forgetLeftJob(jobId);
  await deleteUnusedImage(imageKey);
}
