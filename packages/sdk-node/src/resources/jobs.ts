import type { Settings } from '../config.ts';
import { Download } from '../download.ts';
import { ApiError, JobFailedError } from '../errors.ts';
import { finalStatuses } from '../generated/facts.ts';
import type { Deletion, Job, JobList, JobQuery } from '../generated/types.ts';
import { ask, follow } from '../http/send.ts';
import { listPages } from '../list-pages.ts';
import { type WaitOptions, waitForEnd } from '../wait-for-end.ts';

type Abortable = { signal?: AbortSignal };

/** Images that are, were or will be made. */
export class Jobs {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get(id: string, { signal }: Abortable = {}): Promise<Job> {
    return ask(this.#settings, 'v1GetJob', { params: { id }, signal });
  }

  /** One page, the newest first. */
  list(query: JobQuery = {}, { signal }: Abortable = {}): Promise<JobList> {
    return ask(this.#settings, 'v1ListJobs', { query, signal });
  }

  /** All pages, one job after the other. */
  all(query: JobQuery = {}, options: Abortable = {}): AsyncGenerator<Job> {
    return listPages((cursor) => this.list({ ...query, ...(cursor && { cursor }) }, options));
  }

  /** Cancel what is not finished; delete the files of what is. */
  delete(id: string, { signal }: Abortable = {}): Promise<Deletion | Job> {
    return ask(this.#settings, 'v1DeleteJob', { params: { id }, signal });
  }

  /** The same as `delete`, which never deletes a result by surprise: a finished job is left as it is. */
  async cancel(id: string, options: Abortable = {}): Promise<Job> {
    const job = await this.get(id, options);
    if (isFinal(job)) return job;
    const answer = await this.delete(id, options);
    return 'status' in answer ? answer : this.get(id, options);
  }

  /** The job once it is finished. Throws JobFailedError, WaitTimeoutError. `first`: how it was last seen. */
  async waitFor(job: string | Job, options: WaitOptions<Job> = {}): Promise<Job> {
    const { signal } = options;
    const id = typeof job === 'string' ? job : job.id;
    const first = typeof job === 'string' ? undefined : job;
    const look = () => this.get(id, signal ? { signal } : {});
    const ended = await waitForEnd({ first, look, isEnded: isFinal }, options);
    if (ended.status === 'failed' || ended.status === 'cancelled') throw new JobFailedError(ended);
    return ended;
  }

  /** The result of a finished job. */
  download(job: string | Job, { signal }: Abortable = {}): Download {
    const { maxRetries } = this.#settings;
    return new Download({ open: () => this.#open(job, signal), maxRetries, signal });
  }

  /** Links end after a quarter of an hour: then the job has a new one. */
  async #open(job: string | Job, signal: AbortSignal | undefined): Promise<Response> {
    if (typeof job !== 'string' && job.download_url) {
      try {
        return await follow(this.#settings, job.download_url, signal);
      } catch (error) {
        if (!(error instanceof ApiError) || ![403, 404, 410].includes(error.status)) throw error;
      }
    }
    const id = typeof job === 'string' ? job : job.id;
    const fresh = await this.get(id, signal ? { signal } : {});
    if (fresh.download_url) return follow(this.#settings, fresh.download_url, signal);
    throw hasNothing(fresh);
  }
}

const isFinal = ({ status }: Job) => (finalStatuses as readonly string[]).includes(status);

function hasNothing(job: Job): Error {
  if (job.status === 'failed' || job.status === 'cancelled') return new JobFailedError(job);
  const [status, code, detail] =
    job.status === 'expired'
      ? ([410, 'result_expired', 'The result of this job has been deleted.'] as const)
      : ([409, 'job_not_finished', 'This job has no result yet.'] as const);
  return new ApiError({ status, code, detail });
}
