import type { Abortable, Settings } from '../config.ts';
import { Download } from '../download.ts';
import { ApiError, JobFailedError } from '../errors.ts';
import { finalStatuses } from '../generated/facts.ts';
import type { Deletion, Job, JobList, JobQuery } from '../generated/types.ts';
import { open, requestJson, requestSignedUrl } from '../http/send.ts';
import { type WaitOptions, waitForEnd } from '../wait-for-end.ts';

export class Jobs {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get(id: string, { signal }: Abortable = {}): Promise<Job> {
    return requestJson(this.#settings, 'v1GetJob', { params: { id }, signal });
  }

  /** Returns a page of jobs, newest first. */
  list(query: JobQuery = {}, { signal }: Abortable = {}): Promise<JobList> {
    return requestJson(this.#settings, 'v1ListJobs', { query, signal });
  }

  /** Iterates over all jobs, newest first. */
  all(query: JobQuery = {}, options: Abortable = {}): AsyncGenerator<Job> {
    return listPages((cursor) => this.list({ ...query, ...(cursor && { cursor }) }, options));
  }

  /** Cancels an unfinished job, or deletes the files of a finished one. */
  delete(id: string, { signal }: Abortable = {}): Promise<Deletion | Job> {
    return requestJson(this.#settings, 'v1DeleteJob', { params: { id }, signal });
  }

  /** Cancels an unfinished job. Returns a finished job unchanged, with its result. */
  async cancel(id: string, options: Abortable = {}): Promise<Job> {
    const job = await this.get(id, options);
    if (isFinal(job)) return job;
    const deleted = await this.delete(id, options);
    return 'status' in deleted ? deleted : this.get(id, options);
  }

  /** Waits until the job is completed. Throws JobFailedError or WaitTimeoutError. */
  async waitFor(job: string | Job, options: WaitOptions<Job> = {}): Promise<Job> {
    const ended = await waitForEnd(job, { get: this.get.bind(this), isEnded: isFinal }, options);
    if (ended.status === 'failed' || ended.status === 'cancelled') throw new JobFailedError(ended);
    return ended;
  }

  /** Downloads the result of a completed job. */
  download(job: string | Job, { signal }: Abortable = {}): Download {
    const { maxRetries } = this.#settings;
    return new Download({ open: () => this.#open(job, signal), maxRetries, signal });
  }

  /** Opens the download URL, or the result by its ID if the URL is unknown or has expired. */
  async #open(job: string | Job, signal: AbortSignal | undefined): Promise<Response> {
    if (typeof job === 'string') return open(this.#settings, 'v1JobResult', { params: { id: job }, signal });
    if (job.status === 'failed' || job.status === 'cancelled') throw new JobFailedError(job);
    if (!job.download_url) return this.#open(job.id, signal);
    try {
      return await requestSignedUrl(this.#settings, job.download_url, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || ![403, 404, 410].includes(error.status)) throw error;
      return this.#open(job.id, signal);
    }
  }
}

const isFinal = ({ status }: Job) => (finalStatuses as readonly string[]).includes(status);

export async function* listPages<Row>(
  load: (cursor: string | undefined) => Promise<{ data: Row[]; next_cursor: string | null }>,
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
}
