import type { IncomingMessage } from 'node:http';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit } from '@uprez/domain/report-limit';

const windowMs = limits.bodyPaceSeconds * 1_000;
const minBytes = limits.bodyBytesPerSecond * limits.bodyPaceSeconds;

export type UploadWatch = {
  signal: AbortSignal;
  /** Stops reading the upload and aborts the signal with the error. */
  abort: (error: AppError) => void;
  stop: () => void;
};

/** Stops the current watch of each request. */
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
  // What was received but not read yet is lost with the connection.
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
