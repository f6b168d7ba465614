import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';
import { hasBody } from '../http/answer-early.ts';

/** No body of the public API is unpacked: whoever sends a small one that becomes a large one hears that at once. */
export async function refuseEncoded(request: FastifyRequest): Promise<void> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || !hasBody(request.raw)) return;
  throw new AppError('unsupported_encoding', { param: 'Content-Encoding', allowed: ['identity'] });
}
