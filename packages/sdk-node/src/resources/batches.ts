import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Abortable, Settings } from '../config.ts';
import { Download } from '../download.ts';
import { ApiError } from '../errors.ts';
import type {
  Batch,
  BatchItem,
  BatchList,
  BatchManifest,
  BatchQuery,
  BatchRetry,
  NewBatch,
  RecipeOptions,
} from '../generated/types.ts';
import { jsonBody } from '../http/build-url.ts';
import { open, readCharged, requestJson, requestWithHeaders } from '../http/send.ts';
import { findUrl, type Image, openImage } from '../image.ts';
import { type WaitOptions, waitForEnd } from '../wait-for-end.ts';

type CreateOptions = Abortable & { idempotencyKey?: string };
export type BatchOptions = RecipeOptions & { accept_partial?: boolean };
/** `charged`: credits charged for the request. Credits for images that fail or turn out to be free are refunded. */
export type MadeBatch = Batch & { charged: number };
/**
 * A path, an HTTPS URL, or an image with its file name. `target_url`: URL that the result is uploaded to with PUT, such
 * as a presigned URL of a bucket.
 */
export type BatchImage = string | { name?: string; image: Image; target_url?: string };

/** Batches of images with the same options. */
export class Batches {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns a page of batches without their items, newest first. */
  list(query: BatchQuery = {}, { signal }: Abortable = {}): Promise<BatchList> {
    return requestJson(this.#settings, 'v1ListBatches', { query, signal });
  }

  /**
   * Creates a batch and uploads its files, `concurrency` at a time. Errors of individual files are reported in the
   * items.
   */
  async process(
    images: readonly BatchImage[],
    { accept_partial, ...recipe }: BatchOptions = {},
    { concurrency = 4, ...options }: CreateOptions & { concurrency?: number } = {},
  ): Promise<MadeBatch> {
    const items = await Promise.all(images.map(describe));
    const body = { recipe, items, ...(accept_partial !== undefined && { accept_partial }) };
    const batch = await this.create(body as NewBatch, options);
    const waiting = batch.items.filter(({ upload_url }) => upload_url !== null);
    await runLimited(waiting, concurrency, async (item) => {
      const image = images[Number(item.client_id)];
      if (image) await this.#upload(batch.id, item, { image, options });
    });
    return { ...(await this.get(batch.id, options)), charged: batch.charged };
  }

  /** Uploads a file. Ignores errors with the file itself, because the item reports them. */
  async #upload(id: string, item: BatchItem, { image, options }: { image: BatchImage; options: Abortable }) {
    try {
      await this.putItem({ id, itemId: item.id }, typeof image === 'string' ? image : image.image, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 401)
        throw error;
    }
  }

  /** Creates a batch without uploading its files. */
  async create(batch: NewBatch, { signal, idempotencyKey = randomUUID() }: CreateOptions = {}): Promise<MadeBatch> {
    const call = { body: jsonBody(batch), idempotencyKey, signal };
    const { data, headers } = await requestWithHeaders<Batch>(this.#settings, 'v1CreateBatch', call);
    return { ...data, charged: readCharged(headers) };
  }

  /** Uploads the file of an item. Can be repeated until the file is accepted. */
  async putItem(ids: { id: string; itemId: string }, image: Image, { signal }: Abortable = {}): Promise<BatchItem> {
    const { body } = await openImage(image, {});
    return requestJson(this.#settings, 'v1PutBatchItem', { params: ids, body, signal });
  }

  get(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return requestJson(this.#settings, 'v1GetBatch', { params: { id }, signal });
  }

  /** Cancels the unfinished items. Items that have been processing for a while are charged. */
  cancel(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return requestJson(this.#settings, 'v1CancelBatch', { params: { id }, signal });
  }

  /** Retries the failed items, optionally with another engine. */
  retry(id: string, retry: BatchRetry = {}, { signal }: Abortable = {}): Promise<Batch> {
    return requestJson(this.#settings, 'v1RetryBatch', { params: { id }, body: jsonBody(retry ?? {}), signal });
  }

  /** Waits until all items have ended. Throws WaitTimeoutError. Doesn't throw if items fail. */
  waitFor(batch: string | Batch, options: WaitOptions<Batch> = {}): Promise<Batch> {
    const get = this.get.bind(this);
    return waitForEnd(batch, { get, isEnded: ({ status }) => status !== 'active' }, options);
  }

  /** Downloads all results that are available so far, as a ZIP archive. `name`: pattern for the file names. */
  zip(id: string, { name, signal }: Abortable & { name?: string } = {}): Download {
    const request = () => open(this.#settings, 'v1BatchZip', { params: { id }, query: { name }, signal });
    return new Download({ open: request, maxRetries: this.#settings.maxRetries, signal });
  }

  /** Returns each image's result with its sizes, digest, and cost. */
  manifest(id: string, { name, signal }: Abortable & { name?: string } = {}): Promise<BatchManifest> {
    return requestJson(this.#settings, 'v1BatchManifest', { params: { id }, query: { name }, signal });
  }
}

async function describe(given: BatchImage, index: number): Promise<NewBatch['items'][number]> {
  const { image, name, target_url }: Exclude<BatchImage, string> = typeof given === 'string' ? { image: given } : given;
  const common = { client_id: String(index), ...(target_url !== undefined && { target_url }) };
  const image_url = findUrl(image);
  if (image_url) return { ...common, image_url, ...(name !== undefined && { name }) };
  if (typeof image !== 'string') return { ...common, name: name ?? 'image' };
  return { ...common, name: name ?? basename(image), size: (await stat(image)).size };
}

/** Calls `work` for each item with limited concurrency. Throws the first error after all running work has ended. */
async function runLimited<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const take = async () => {
    for (const item of queue) await work(item);
  };
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, take);
  const failed = (await Promise.allSettled(workers)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
