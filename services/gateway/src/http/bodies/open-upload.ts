import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit } from '@uprez/domain/report-limit';
import { readChunks } from '@uprez/storage/read-chunks';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addressOf, holderOf } from '../request-callers.ts';

type Bodies = Pick<Deps, 'bodies'>;

/** Returns the maximum size of a body: the declared size, up to `maxBytes`. */
export const expectBytes = ({ headers }: FastifyRequest, maxBytes: number): number =>
  Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);

/**
 * Watches the body of an upload, whose size counts against its IP address until `stop` is called. Throws `server_busy`.
 */
export async function openUpload({ bodies }: Bodies, request: FastifyRequest, maxBytes: number): Promise<UploadWatch> {
  const release = await bodies.uploads.hold({ address: addressOf(request) }, expectBytes(request, maxBytes));
  const watch = watchUpload(request.raw);
  return {
    ...watch,
    stop: () => {
      watch.stop();
      release();
    },
  };
}

/** Reserves memory for `copies` copies of a body of at most `maxBytes` until `task` ends. Throws `server_busy`. */
export async function inMemory<T>(
  { bodies }: Bodies,
  { request, maxBytes, copies = 2 }: { request: FastifyRequest; maxBytes: number; copies?: number },
  task: () => Promise<T>,
): Promise<T> {
  const release = await bodies.memory.hold(holderOf(request), copies * expectBytes(request, maxBytes));
  return task().finally(release);
}

const windowMs = limits.bodyPaceSeconds * 1_000;
const minBytes = limits.bodyBytesPerSecond * limits.bodyPaceSeconds;

export type UploadWatch = {
  signal: AbortSignal;
  /** Stops reading the upload and aborts the signal with the error. */
  abort: (error: AppError) => void;
  stop: () => void;
};

/** Stop function of each request's current watch. */
const watching = new WeakMap<IncomingMessage, () => void>();

/**
 * Aborts an upload when its client disconnects, or sends less than 8 kB/s over 30 s while we read. There is no total
 * deadline, because it would cut off slow connections. Replaces an earlier watch of the same request.
 */
export function watchUpload(request: IncomingMessage): UploadWatch {
  watching.get(request)?.();
  const controller = new AbortController();
  const abort = (error: AppError) => {
    request.unpipe();
    request.pause();
    clearInterval(timer);
    controller.abort(error);
  };
  const fail = (detail: string) => abort(new AppError('malformed_multipart', { detail }));
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    if (bytesRead - before < minBytes && !request.complete && request.readableLength === 0) {
      reportLimit('body_pace');
      fail('The upload stalled. Try again.');
    }
    before = bytesRead;
  }, windowMs);
  // Data received but not yet read is lost with the connection.
  const gone = () => {
    if (!request.readableEnded) fail('The upload was interrupted. Try again.');
  };
  request.once('close', gone);
  if (request.destroyed) gone();
  const stop = () => {
    clearInterval(timer);
    request.off('close', gone);
  };
  watching.set(request, stop);
  return { signal: controller.signal, abort, stop };
}

/** A body or a file in it. Reading it fails with the signal's reason, or with `file_too_large` after `maxBytes`. */
type Received = { request: FastifyRequest; source: Readable; signal: AbortSignal; maxBytes?: number | undefined };

/** Yields the chunks of a body or of a file in it, each at its caller's turn. */
export async function* takeTurns(
  { bodies: { turns } }: Bodies,
  { request, source, ...options }: Received,
): AsyncGenerator<Buffer> {
  const { account } = holderOf(request);
  for await (const chunk of readChunks(source, options)) {
    // A turn lasts until the next iteration of the event loop.
    setImmediate(await turns.enter(account));
    yield chunk;
  }
}

/** Returns the chunks of `takeTurns` as a stream. The caller destroys the stream, which leaves the source open. */
export function openTurns(deps: Bodies, received: Received): Readable {
  // After an upload is aborted, nothing reads the stream, and it may still fail.
  return Readable.from(takeTurns(deps, received), { objectMode: false }).on('error', () => undefined);
}

type Headers = Pick<IncomingMessage, 'headers'>;

/** Whether a request has a body. */
export const hasBody = ({ headers }: Headers): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const urlEncoded = 'application/x-www-form-urlencoded';

/** Whether the body is a URL-encoded form, which pages send without JavaScript. */
export const isUrlEncoded = ({ headers }: Headers): boolean =>
  headers['content-type']?.toLowerCase().startsWith(urlEncoded) ?? false;

/** Whether the body is a multipart form. Media types are case-insensitive (RFC 9110, 8.3.1). */
export const isForm = ({ headers }: Headers): boolean => /^multipart\//i.test(headers['content-type'] ?? '');
