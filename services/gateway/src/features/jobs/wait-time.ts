import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialect.ts';

/**
 * How long a request waits for its result, seconds. The field `async` takes precedence over the `Prefer` header, which
 * `Preference-Applied` confirms.
 */
export function readWaitSeconds(
  { tell }: Pick<Dialect, 'tell'>,
  reply: FastifyReply,
  isAsync?: boolean | undefined,
): number {
  if (isAsync !== undefined) return isAsync ? 0 : limits.waitSeconds;
  const preferred = parsePrefer(reply.request.headers.prefer);
  if (preferred === undefined) return limits.waitSeconds;
  tell(reply, { 'preference-applied': preferred === 0 ? 'respond-async' : `wait=${preferred}` });
  return preferred;
}

/** Parses `Prefer: wait=N` or `respond-async` (RFC 7240); undefined for anything else. Seconds. */
function parsePrefer(header: string | string[] | undefined): number | undefined {
  const preferences = String(header ?? '')
    .split(',')
    .map((preference) => preference.trim().toLowerCase());
  if (preferences.includes('respond-async')) return 0;
  const wait = preferences.map((text) => /^wait=(\d{1,4})$/.exec(text)?.[1]).find((value) => value !== undefined);
  return wait === undefined ? undefined : Math.min(Number(wait), limits.maxWaitSeconds);
}

/** The Idempotency-Key header. Throws `invalid_parameter` when it is too long. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = String(headers['idempotency-key'] ?? '');
  if (key.length > limits.idempotencyKeyLength)
    throw new AppError('invalid_parameter', {
      param: 'Idempotency-Key',
      allowed: `at most ${limits.idempotencyKeyLength} characters`,
    });
  return key || undefined;
}
