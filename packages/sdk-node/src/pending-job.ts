import type { Readable } from 'node:stream';
import type { Job } from './generated/types.ts';
import type { Jobs } from './resources/jobs.ts';
import type { WaitOptions } from './wait-for-end.ts';

/** `charged`: credits charged for the request. They are refunded if the job fails or is free. */
export type ProcessedJob = Job & { charged: number };

/** A submitted image. Await it to get the job, or wait for the result with one of the methods. */
export class PendingJob implements PromiseLike<ProcessedJob> {
  readonly #started: Promise<ProcessedJob>;
  readonly #jobs: Jobs;
  constructor(started: Promise<ProcessedJob>, jobs: Jobs) {
    this.#started = started;
    this.#jobs = jobs;
  }

  // biome-ignore lint/suspicious/noThenProperty: the class is a thenable by design
  then<Done = ProcessedJob, Failed = never>(
    onDone?: ((job: ProcessedJob) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#started.then(onDone, onFailed);
  }

  /** Waits until the job is completed. Throws JobFailedError or WaitTimeoutError. */
  async waitFor(options: WaitOptions<Job> = {}): Promise<Job> {
    return this.#jobs.waitFor(await this.#started, options);
  }

  /** Waits for the result and writes it to a file. An incomplete file is never left behind. */
  async toFile(path: string, options: WaitOptions<Job> = {}): Promise<Job> {
    const job = await this.waitFor(options);
    await this.#jobs.download(job, options).toFile(path);
    return job;
  }

  /** Waits for the result and returns its bytes. */
  async toBuffer(options: WaitOptions<Job> = {}): Promise<Buffer> {
    return this.#jobs.download(await this.waitFor(options), options).toBuffer();
  }

  /** Waits for the result and streams it. An interruption ends the stream with an error. */
  async toStream(options: WaitOptions<Job> = {}): Promise<Readable> {
    return this.#jobs.download(await this.waitFor(options), options).toStream();
  }
}
