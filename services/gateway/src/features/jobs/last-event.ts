import type { FastifyRequest } from 'fastify';

/** The ID of the last event: microseconds since 1970. Undefined if the header is missing or invalid. */
export function readLastEventUs(request: Pick<FastifyRequest, 'headers'>): number | undefined {
  const id = String(request.headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}
