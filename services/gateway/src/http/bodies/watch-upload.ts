import type { IncomingMessage } from 'node:http';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit } from '@uprez/domain/report-limit';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../request-callers.ts';
import { type Bodies, maxBodyBytesOf } from './body-budgets.ts';

const windowMs = limits.bodyPaceSeconds * 1_000;
const minBytes = limits.bodyBytesPerSecond * limits.bodyPaceSeconds;

export type UploadWatch = {
  signal: AbortSignal;
  /** Stops reading the upload and aborts the signal with the error. */
  abort: (error: AppError) => void;
  stop: () => void;
};

const watchStops = new WeakMap<IncomingMessage, () => void>();

/**
 * Aborts an upload if its client disconnects, or if it sends less than 8 kB/s over 30 s while we are reading. Has no
 * total deadline, because that would cut off slow connections. Replaces an earlier watch of the same request.
 */
export function watchUpload(request: IncomingMessage): UploadWatch {
  watchStops.get(request)?.();
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
  // Data that has been received but not yet read is lost with the connection.
  const gone = () => {
    if (!request.readableEnded) fail('The upload was interrupted. Try again.');
  };
  request.once('close', gone);
  if (request.destroyed) gone();
  const stop = () => {
    clearInterval(timer);
    request.off('close', gone);
  };
  watchStops.set(request, stop);
  return { signal: controller.signal, abort, stop };
}

/** Counts an upload against its IP address and watches its body, until `stop` is called. Throws `server_busy`. */
export async function openUploadWatch(
  { bodies }: Bodies,
  request: FastifyRequest,
  maxBytes: number,
): Promise<UploadWatch> {
  const release = await bodies.uploads.hold({ address: addressOf(request) }, maxBodyBytesOf(request, maxBytes));
  const watch = watchUpload(request.raw);
  return {
    ...watch,
    stop: () => {
      watch.stop();
      release();
    },
  };
}
