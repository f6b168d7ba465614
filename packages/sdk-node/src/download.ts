import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { ApiError, ConnectionError } from './errors.ts';
import { pause, retryDelayMs } from './http/retry.ts';

/** `open`: an answer with the bytes; asked for again when they broke off. */
type Source = { open: () => Promise<Response>; maxRetries: number; signal?: AbortSignal | undefined };

/** A file of the service. Nothing is asked for until one of its methods is called. */
export class Download {
  readonly #source: Source;
  constructor(source: Source) {
    this.#source = source;
  }

  /** The bytes as they come. A stream that breaks off ends in an error. */
  async toStream(): Promise<Readable> {
    const { body } = await this.#source.open();
    return body ? Readable.fromWeb(body as WebStream) : Readable.from([]);
  }

  async toBuffer(): Promise<Buffer> {
    return this.#again(async () => Buffer.from(await (await this.#source.open()).arrayBuffer()));
  }

  /** Write a file, whole or not at all: what lies there is replaced in the end. */
  async toFile(path: string): Promise<void> {
    const part = `${path}.${randomUUID()}.part`;
    try {
      await this.#again(async () => pipeline(await this.toStream(), createWriteStream(part), this.#options()));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  #options() {
    const { signal } = this.#source;
    return signal ? { signal } : {};
  }

  /** What breaks off in the middle is begun anew. */
  async #again<Result>(work: () => Promise<Result>): Promise<Result> {
    const { maxRetries, signal } = this.#source;
    for (let n = 0; ; n += 1) {
      try {
        return await work();
      } catch (error) {
        signal?.throwIfAborted();
        if (!isBroken(error)) throw error;
        if (n >= maxRetries) throw new ConnectionError(error);
        await pause(retryDelayMs(n), signal);
      }
    }
  }
}

/** `fetch` fails so while it reads a body; refusals and the disk's errors have codes or classes of their own. */
const isBroken = (error: unknown) =>
  error instanceof TypeError && !(error instanceof ApiError) && !('syscall' in error);
