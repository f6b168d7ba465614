import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { addressOf, holderOf } from '../request-callers.ts';
import { type UploadWatch, watchUpload } from './watch-upload.ts';

type Bodies = Pick<Deps, 'bodies'>;

/** The most bytes that a body may bring: as it declares, or `maxBytes`. */
export const expectBytes = ({ headers }: FastifyRequest, maxBytes: number): number =>
  Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);

/** Watches the body of an upload, which counts for its IP address from its first byte until `stop`. Throws `server_busy`. */
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

/** Holds memory for a body of at most `maxBytes` until `task` ends, in so many copies. Throws `server_busy`. */
export async function inMemory<T>(
  { bodies }: Bodies,
  { request, maxBytes, copies = 2 }: { request: FastifyRequest; maxBytes: number; copies?: number },
  task: () => Promise<T>,
): Promise<T> {
  const release = await bodies.memory.hold(holderOf(request), copies * expectBytes(request, maxBytes));
  return task().finally(release);
}
