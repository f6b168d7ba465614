import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Settings } from '../config.ts';
import { Download } from '../download.ts';
import { ApiError } from '../errors.ts';
import type { Batch, BatchItem, BatchManifest, BatchRetry, NewBatch, RecipeOptions } from '../generated/types.ts';
import { jsonBody } from '../http/body.ts';
import { ask, askWithHeaders, open, readCharged } from '../http/send.ts';
import { findAddress, type Image, openImage } from '../image.ts';
import { runLimited } from '../run-limited.ts';
import { type WaitOptions, waitForEnd } from '../wait-for-end.ts';

type Abortable = { signal?: AbortSignal };
type Making = Abortable & { idempotencyKey?: string };
/** `concurrency`: files that are sent at a time. */
export type BatchOptions = RecipeOptions & { accept_partial?: boolean };
/** `charged`: units that the call reserved. */
export type MadeBatch = Batch & { charged: number };
/** A path, an https address, or an image with its name. */
export type BatchImage = string | { name: string; image: Image };

/** Many images that are processed alike. */
export class Batches {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Announce images, send all of their files, and answer the batch; what came of each is in its items. */
  async process(
    images: readonly BatchImage[],
    { accept_partial, ...recipe }: BatchOptions = {},
    { concurrency = 4, ...options }: Making & { concurrency?: number } = {},
  ): Promise<MadeBatch> {
    const items = await Promise.all(images.map(describe));
    const body = { recipe, items, ...(accept_partial !== undefined && { accept_partial }) };
    const batch = await this.create(body as NewBatch, options);
    const waiting = batch.items.filter(({ upload_url }) => upload_url !== null);
    await runLimited(waiting, concurrency, async (item) => {
      const image = images[Number(item.client_id)];
      if (image) await this.#sendOne(batch.id, item, { image, options });
    });
    return { ...(await this.get(batch.id, options)), charged: batch.charged };
  }

  /** An image that is refused is one of the batch's results, told in its item; all else ends the call. */
  async #sendOne(id: string, item: BatchItem, { image, options }: { image: BatchImage; options: Abortable }) {
    try {
      await this.putItem({ id, itemId: item.id }, typeof image === 'string' ? image : image.image, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 401)
        throw error;
    }
  }

  /** Announce images, whose files then come one by one. */
  async create(batch: NewBatch, { signal, idempotencyKey = randomUUID() }: Making = {}): Promise<MadeBatch> {
    const call = { body: jsonBody(batch), idempotencyKey, signal };
    const { answer, headers } = await askWithHeaders<Batch>(this.#settings, 'v1CreateBatch', call);
    return { ...answer, charged: readCharged(headers) };
  }

  /** Send the file of an item; may be repeated until it was taken. */
  async putItem(ids: { id: string; itemId: string }, image: Image, { signal }: Abortable = {}): Promise<BatchItem> {
    const { body } = await openImage(image, {});
    return ask(this.#settings, 'v1PutBatchItem', { params: ids, body, signal });
  }

  get(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return ask(this.#settings, 'v1GetBatch', { params: { id }, signal });
  }

  cancel(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return ask(this.#settings, 'v1CancelBatch', { params: { id }, signal });
  }

  /** Try again what failed, by another engine if so wanted. */
  retry(id: string, retry: BatchRetry = {}, { signal }: Abortable = {}): Promise<Batch> {
    return ask(this.#settings, 'v1RetryBatch', { params: { id }, body: jsonBody(retry ?? {}), signal });
  }

  /** The batch once nothing of it waits or runs. Throws WaitTimeoutError; failed items do not throw. */
  waitFor(batch: string | Batch, options: WaitOptions<Batch> = {}): Promise<Batch> {
    const { signal } = options;
    const id = typeof batch === 'string' ? batch : batch.id;
    const first = typeof batch === 'string' ? undefined : batch;
    const look = () => this.get(id, signal ? { signal } : {});
    return waitForEnd({ first, look, isEnded: ({ status }) => status !== 'active' }, options);
  }

  /** All results so far in one archive. `name`: how its files are called. */
  zip(id: string, { name, signal }: Abortable & { name?: string } = {}): Download {
    const source = () => open(this.#settings, 'v1BatchZip', { params: { id }, query: { name }, signal });
    return new Download({ open: source, maxRetries: this.#settings.maxRetries, signal });
  }

  /** What became of every image, with sizes, digests and costs. */
  manifest(id: string, { name, signal }: Abortable & { name?: string } = {}): Promise<BatchManifest> {
    return ask(this.#settings, 'v1BatchManifest', { params: { id }, query: { name }, signal });
  }
}

async function describe(image: BatchImage, index: number): Promise<NewBatch['items'][number]> {
  const client_id = String(index);
  const image_url = findAddress(typeof image === 'string' ? image : image.image);
  if (image_url) return { client_id, image_url, ...(typeof image !== 'string' && { name: image.name }) };
  if (typeof image !== 'string') return { client_id, name: image.name };
  return { client_id, name: basename(image), size: (await stat(image)).size };
}
