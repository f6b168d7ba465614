import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mustBe } from '../../http/validate.ts';
import type { ApiAdapter } from '../api-adapter.ts';

type WaitOptions = {
  isAsync?: boolean | undefined;
  /** Seconds if the request doesn't say how long it waits. */
  fallback?: number;
};

/**
 * How long a request waits for its result, seconds. The field `async` takes precedence over the `Prefer` header, which
 * `Preference-Applied` confirms.
 */
export function readWaitSeconds(
  { setHeaders }: Pick<ApiAdapter, 'setHeaders'>,
  reply: FastifyReply,
  { isAsync, fallback = limits.waitSeconds }: WaitOptions = {},
): number {
  if (isAsync !== undefined) return isAsync ? 0 : fallback;
  const preferred = readWait(listPreferences(reply.request));
  if (preferred === undefined) return fallback;
  setHeaders(reply, { 'preference-applied': preferred === 0 ? 'respond-async' : `wait=${preferred}` });
  return preferred;
}

/** The preferences of a request (RFC 7240), in lower case. */
const listPreferences = ({ headers }: Pick<FastifyRequest, 'headers'>): string[] =>
  String(headers.prefer ?? '')
    .split(',')
    .map((preference) => preference.trim().toLowerCase())
    .filter((preference) => preference !== '');

const waitPattern = /^wait *= *(?:(\d{1,4})|"(\d{1,4})")$/;
const isAsyncPreference = (preference: string) => preference === 'respond-async';

/** Seconds of `respond-async` or `wait=N`; undefined if there is neither. */
function readWait(preferences: readonly string[]): number | undefined {
  if (preferences.some(isAsyncPreference)) return 0;
  const match = preferences.map((text) => waitPattern.exec(text)).find((found) => found !== null);
  return match ? Math.min(Number(match[1] ?? match[2]), limits.maxWaitSeconds) : undefined;
}

/** Longest preference in a note, characters. */
const shownLength = 40;

/**
 * A note for each preference that was ignored. Unknown preferences aren't errors (RFC 7240, 2). `waits`: whether the request
 * can wait for results.
 */
export const notePreferences = (request: Pick<FastifyRequest, 'headers'>, { waits = true } = {}): string[] =>
  listPreferences(request)
    .filter((preference) => !isAsyncPreference(preference) && !(waits && waitPattern.test(preference)))
    .map((preference) => `The preference "${preference.slice(0, shownLength)}" isn't supported and was ignored.`)
    .slice(0, 5);

/** The Idempotency-Key header. Throws `invalid_parameter` when it is empty or too long. */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const key = String(sent);
  if (key.trim() !== '' && key.length <= limits.idempotencyKeyLength) return key;
  const allowed = `1 to ${limits.idempotencyKeyLength} characters`;
  const param = 'Idempotency-Key';
  throw new AppError('invalid_parameter', { detail: mustBe(param, allowed), param, allowed, got: key });
}
