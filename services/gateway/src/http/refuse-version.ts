import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';

const spoken = ['1.0', '1.1'];

/** Refuse requests of other versions of HTTP, which the parser lets pass: nobody means what they mean. */
export async function refuseVersion({ raw }: FastifyRequest): Promise<void> {
  if (!spoken.includes(raw.httpVersion))
    throw new AppError('malformed_body', { detail: 'This server speaks HTTP/1.0 and HTTP/1.1.' });
}
