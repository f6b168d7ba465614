import { randomUUID } from 'node:crypto';
import { type Abortable, readOptions, type Settings, type UprezOptions } from './config.ts';
import type { Account, DryRun, EngineList, Estimate, EstimateInput, Job, ProcessOptions } from './generated/types.ts';
import { jsonBody } from './http/build-url.ts';
import { readCharged, requestImage, requestJson, requestWithHeaders } from './http/send.ts';
import { type Image, openImage } from './image.ts';
import { PendingJob, type ProcessedJob } from './pending-job.ts';
import { Batches } from './resources/batches.ts';
import { Jobs } from './resources/jobs.ts';
import { Events, Webhooks } from './resources/webhooks.ts';
import type { WaitOptions } from './wait-for-end.ts';

/** Time that a request waits for its image. Shorter than the timeouts of most proxies. */
const imageWaitSeconds = 50;

export type ProcessCall = Abortable & {
  /** A repeated request with the same key returns the same job. Default: a new key. */
  idempotencyKey?: string;
  /** Seconds to wait for the result in the request. Default: 0, which returns immediately. */
  waitSeconds?: number;
};

/** A client for the Uprez API. */
export class Uprez {
  readonly jobs: Jobs;
  readonly batches: Batches;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly #settings: Settings;

  /** Throws UprezError `not_configured` without an API key or a URL. */
  constructor(options: UprezOptions = {}) {
    this.#settings = readOptions(options);
    this.jobs = new Jobs(this.#settings);
    this.batches = new Batches(this.#settings);
    this.events = new Events(this.#settings);
    this.webhooks = new Webhooks(this.#settings);
  }

  /** Processes an image. The request is sent immediately. */
  process(image: Image, options: Omit<ProcessOptions, 'dry_run'> = {}, call: ProcessCall = {}): PendingJob {
    return new PendingJob(this.#submit(image, options, call), this.jobs);
  }

  /**
   * Processes an image and returns its bytes. Uses a single request unless processing takes longer than that request
   * waits. Throws the same errors as `process` and `waitFor`.
   */
  async processToBuffer(
    image: Image,
    options: Omit<ProcessOptions, 'dry_run' | 'async'> = {},
    call: Omit<ProcessCall, 'waitSeconds'> & WaitOptions<Job> = {},
  ): Promise<Buffer> {
    const { idempotencyKey = randomUUID(), signal } = call;
    const { body, query } = await openImage(image, options);
    const headers = { accept: 'image/*', prefer: `wait=${imageWaitSeconds}` };
    const sent = { body, query, headers, idempotencyKey, signal };
    const { jobId, bytes } = await requestImage(this.#settings, 'v1Process', sent);
    if (bytes) return bytes;
    return this.jobs.download(await this.jobs.waitFor(jobId, call), call).toBuffer();
  }

  /** Validates an image and its options, and estimates the result. Nothing is processed or charged. */
  async dryRun(image: Image, options: ProcessOptions = {}, call: Abortable = {}): Promise<DryRun> {
    return (await this.#post<DryRun>(image, { ...options, dry_run: true }, call)).data;
  }

  /** Estimates the result from an image's properties, without uploading the image. */
  estimate(facts: EstimateInput, { signal }: Abortable = {}): Promise<Estimate> {
    return requestJson(this.#settings, 'v1Estimate', { body: jsonBody(facts), signal });
  }

  /** Returns your plan, quotas, and API key. */
  account({ signal }: Abortable = {}): Promise<Account> {
    return requestJson(this.#settings, 'v1Account', { signal });
  }

  /** Lists the engines and whether they are available. */
  engines({ signal }: Abortable = {}): Promise<EngineList> {
    return requestJson(this.#settings, 'v1Engines', { signal });
  }

  async #submit(image: Image, options: ProcessOptions, call: ProcessCall): Promise<ProcessedJob> {
    const { data: job, headers } = await this.#post<Job>(image, options, call);
    return { ...job, charged: readCharged(headers) };
  }

  async #post<Data>(image: Image, fields: ProcessOptions, call: ProcessCall) {
    const { signal, waitSeconds = 0, idempotencyKey = randomUUID() } = call;
    const { body, query } = await openImage(image, fields);
    const headers = { prefer: waitSeconds > 0 ? `wait=${waitSeconds}` : 'respond-async' };
    return requestWithHeaders<Data>(this.#settings, 'v1Process', { body, query, headers, idempotencyKey, signal });
  }
}
