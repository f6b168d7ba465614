import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { ApiError, ConnectionError } from './errors.ts';
import { pause, retryDelayMs } from './http/send-with-retries.ts';

/** `open`: requests the file. Called again after an interruption. */
type Source = { open: () => Promise<Response>; maxRetries: number; signal?: AbortSignal | undefined };

/** A file to download. The request is sent when one of the methods is called. */
export class Download {
  readonly #source: Source;
  constructor(source: Source) {
    this.#source = source;
  }

  /** Streams the file. An interruption ends the stream with an error. */
  async toStream(): Promise<Readable> {
    const { body } = await this.#source.open();
    return body ? Readable.fromWeb(body as WebStream) : Readable.from([]);
  }

  async toBuffer(): Promise<Buffer> {
    return this.#retry(async () => Buffer.from(await (await this.#source.open()).arrayBuffer()));
  }

  /** Downloads the file to a path. Replaces an existing file only when the download is complete. */
  async toFile(path: string): Promise<void> {
    const part = `${path}.${randomUUID()}.part`;
    try {
      await this.#retry(async () =>
        pipeline(await this.toStream(), createWriteStream(part), { signal: this.#source.signal }),
      );
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async #retry<Result>(work: () => Promise<Result>): Promise<Result> {
    const { maxRetries, signal } = this.#source;
    for (let n = 0; ; n += 1) {
      try {
        return await work();
      } catch (error) {
        signal?.throwIfAborted();
        if (!isInterruption(error)) throw error;
        if (n >= maxRetries) throw new ConnectionError(error);
        await pause(retryDelayMs(n), signal);
      }
    }
  }
}

/** `fetch` throws a TypeError when the connection breaks. API errors and file system errors aren't interruptions. */
const isInterruption = (error: unknown) =>
  error instanceof TypeError && !(error instanceof ApiError) && !('syscall' in error);
