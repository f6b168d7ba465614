import type { Job } from './generated/types.ts';
import type { Jobs } from './resources/jobs.ts';
import type { WaitOptions } from './wait-for-end.ts';

/** `charged`: units that the call took. `cached`: whether a stored result was answered. */
export type ProcessedJob = Job & { charged: number; cached: boolean };

/** An image on its way: await it for the job as soon as the service has it, or wait for the end and take the file. */
export class PendingJob implements PromiseLike<ProcessedJob> {
  readonly #started: Promise<ProcessedJob>;
  readonly #jobs: Jobs;
  constructor(started: Promise<ProcessedJob>, jobs: Jobs) {
    this.#started = started;
    this.#jobs = jobs;
  }

  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for
  then<Done = ProcessedJob, Failed = never>(
    onDone?: ((job: ProcessedJob) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#started.then(onDone, onFailed);
  }

  /** The job once it is finished. Throws JobFailedError, WaitTimeoutError. */
  async waitFor(options: WaitOptions<Job> = {}): Promise<Job> {
    return this.#jobs.waitFor(await this.#started, options);
  }

  /** Wait, and write the result to a file: whole or not at all. */
  async toFile(path: string, options: WaitOptions<Job> = {}): Promise<Job> {
    const job = await this.waitFor(options);
    await this.#jobs.download(job, options).toFile(path);
    return job;
  }

  /** Wait for the result's bytes. */
  async toBuffer(options: WaitOptions<Job> = {}): Promise<Buffer> {
    return this.#jobs.download(await this.waitFor(options), options).toBuffer();
  }
}
