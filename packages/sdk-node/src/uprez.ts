import { randomUUID } from 'node:crypto';
import { readOptions, type Settings, type UprezOptions } from './config.ts';
import type { Account, DryRun, EngineList, Estimate, EstimateInput, Job, ProcessOptions } from './generated/types.ts';
import { jsonBody } from './http/body.ts';
import type { Query } from './http/build-url.ts';
import { ask, askWithHeaders, readCharged } from './http/send.ts';
import { type Image, openImage } from './image.ts';
import { PendingJob, type ProcessedJob } from './pending-job.ts';
import { Batches } from './resources/batches.ts';
import { Events } from './resources/events.ts';
import { Jobs } from './resources/jobs.ts';
import { Webhooks } from './resources/webhooks.ts';

type Abortable = { signal?: AbortSignal };
export type ProcessCall = Abortable & {
  /** A name of this call: made again with it, it makes nothing twice. Default: a new one. */
  idempotencyKey?: string;
  /** Seconds that the service may hold the call until the result is there. Default 0: it answers at once. */
  waitSeconds?: number;
};

/** The API of Uprez with one key. */
export class Uprez {
  readonly jobs: Jobs;
  readonly batches: Batches;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly #settings: Settings;

  /** Throws UprezError `not_configured` without a key or an address. */
  constructor(options: UprezOptions = {}) {
    this.#settings = readOptions(options);
    this.jobs = new Jobs(this.#settings);
    this.batches = new Batches(this.#settings);
    this.events = new Events(this.#settings);
    this.webhooks = new Webhooks(this.#settings);
  }

  /** Resize or enlarge an image. The call is made at once; see PendingJob for what can be done with it. */
  process(image: Image, options: Omit<ProcessOptions, 'dry_run'> = {}, call: ProcessCall = {}): PendingJob {
    return new PendingJob(this.#start(image, options, call), this.jobs);
  }

  /** Check everything and tell what would become of an image; nothing is made or charged. */
  async dryRun(image: Image, options: ProcessOptions = {}, call: Abortable = {}): Promise<DryRun> {
    return (await this.#post<DryRun>(image, { ...options, dry_run: true }, call)).answer;
  }

  /** The same from an image's facts, without the image. */
  estimate(facts: EstimateInput, { signal }: Abortable = {}): Promise<Estimate> {
    return ask(this.#settings, 'v1Estimate', { body: jsonBody(facts), signal });
  }

  /** The plan of the key, and what is left of it. */
  account({ signal }: Abortable = {}): Promise<Account> {
    return ask(this.#settings, 'v1Account', { signal });
  }

  /** Ways to enlarge an image, and whether they are installed. */
  engines({ signal }: Abortable = {}): Promise<EngineList> {
    return ask(this.#settings, 'v1Engines', { signal });
  }

  async #start(image: Image, options: Query, call: ProcessCall): Promise<ProcessedJob> {
    const { answer: job, headers } = await this.#post<Job>(image, options, call);
    return { ...job, charged: readCharged(headers), cached: headers.get('x-cache') === 'hit' };
  }

  async #post<Answer>(image: Image, fields: Query, call: ProcessCall) {
    const { signal, waitSeconds = 0, idempotencyKey = randomUUID() } = call;
    const { body, query } = await openImage(image, fields);
    const headers = { prefer: waitSeconds > 0 ? `wait=${waitSeconds}` : 'respond-async' };
    return askWithHeaders<Answer>(this.#settings, 'v1Process', { body, query, headers, idempotencyKey, signal });
  }
}
