import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type Actor, isSandbox } from '@uprez/domain/actor';
import { reportLimit } from '@uprez/domain/report-limit';
import { readChunks } from '@uprez/storage/read-chunks';
import { orUnavailable } from '@uprez/storage/unavailable';
import type { FastifyRequest } from 'fastify';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { jsonTooLarge, parseJson, readJson } from '../../http/read-json.ts';
import { makeSemaphore } from './make-semaphore.ts';

const report = () => reportLimit('json_images');
const limitAccount = makeSemaphore(limits.jsonImages, report);
const limitGateway = makeSemaphore(limits.jsonImagesPerGateway, report);

/**
 * Runs a task that holds a JSON body in memory, when the account and the gateway have a free place. An account waits for
 * its own bodies first, so it never has more of the places of all than its own limit.
 */
export const limitBodies = <T>(actor: Actor, task: () => Promise<T>): Promise<T> =>
  limitAccount(`${actor.accountId} ${isSandbox(actor)}`, () => limitGateway('', task));

/**
 * The result of `take` for a JSON body with an image in it. A large body is spooled to a temporary file at the pace of
 * its client and read into memory once it is complete, so clients do not wait for each other. Throws as `readJson` does.
 */
export async function receiveJson<T>(
  actor: Actor,
  { request, take }: { request: FastifyRequest; take: (body: unknown) => Promise<T> },
): Promise<T> {
  const declared = request.headers['content-length'];
  // Small bodies are held in memory while they arrive, as those of other requests are.
  if (declared !== undefined && Number(declared) <= limits.bodyBytes)
    return take(await readJson(request, limits.bodyBytes));
  if (Number(declared ?? 0) > limits.jsonImageBytes) throw jsonTooLarge(limits.jsonImageBytes);
  const spool = await orUnavailable('opening a spool file', openSpool);
  try {
    const sizeBytes = await spoolBody(spool, request);
    return await limitBodies(actor, async () => {
      const body = Buffer.allocUnsafeSlow(sizeBytes);
      await orUnavailable('reading a spool file', () => spool.read(body, 0, sizeBytes, 0));
      return take(parseJson(body));
    });
  } finally {
    await spool.close();
  }
}

/** A temporary file without a name: it disappears with its handle, also when the process is killed. */
async function openSpool(): Promise<fs.FileHandle> {
  const name = path.join(os.tmpdir(), `uprez-body-${crypto.randomUUID()}`);
  const spool = await fs.open(name, 'wx+', 0o600);
  await fs.unlink(name);
  return spool;
}

/** Write a body to a file; its size in bytes. Throws `file_too_large` and `malformed_body`. */
async function spoolBody(spool: fs.FileHandle, { raw }: FastifyRequest): Promise<number> {
  const watch = watchUpload(raw);
  let sizeBytes = 0;
  try {
    for await (const chunk of readChunks(raw, { signal: watch.signal, maxBytes: limits.jsonImageBytes })) {
      sizeBytes += chunk.length;
      await orUnavailable('writing a spool file', () => spool.writeFile(chunk));
    }
    watch.signal.throwIfAborted();
    if (sizeBytes === 0) throw new AppError('malformed_body', { param: 'body' });
    return sizeBytes;
  } catch (error) {
    throw bodyError(watch.signal.aborted ? watch.signal.reason : error);
  } finally {
    watch.stop();
  }
}

function bodyError(error: unknown): unknown {
  if (!(error instanceof AppError))
    return new AppError('malformed_body', {
      detail: 'The upload was interrupted. Try again.',
      param: 'body',
      cause: error,
    });
  if (error.code === 'file_too_large') return jsonTooLarge(limits.jsonImageBytes);
  if (error.code !== 'malformed_multipart') return error;
  return new AppError('malformed_body', { detail: error.message, param: 'body', cause: error });
}
